/** How far a problem is from what the bundled models do with ease. */
export type PresetLevel = 'warm-up' | 'several-steps' | 'hard';

/** A problem to start from. The answer is worked out by hand. */
export interface Preset {
  readonly id: string;
  readonly level: PresetLevel;
  readonly title: string;
  readonly text: string;
  readonly answer: string;
}

export const PRESET_LEVELS: readonly { readonly level: PresetLevel; readonly title: string }[] = [
  { level: 'warm-up', title: 'Warm-up' },
  { level: 'several-steps', title: 'Several steps' },
  { level: 'hard', title: 'Hard' },
];

export const PRESETS: readonly Preset[] = [
  {
    id: 'pencils',
    level: 'warm-up',
    title: 'Pencils',
    text: 'Sara has 4 boxes with 12 pencils each. She gives away 9 pencils. How many pencils are left?',
    answer: '39',
  },
  {
    id: 'cookies',
    level: 'warm-up',
    title: 'Cookies',
    text: 'Lena baked 24 cookies. She ate 3 of them and gave 8 to her neighbor. How many cookies are left?',
    answer: '13',
  },
  {
    id: 'marbles',
    level: 'warm-up',
    title: 'Half as many',
    text: 'Tom has 18 marbles. Ben has half as many marbles as Tom. How many marbles do they have together?',
    answer: '27',
  },
  {
    id: 'train',
    level: 'warm-up',
    title: 'Train',
    text: 'A train travels at 60 miles per hour for 3 hours. How many miles does it travel?',
    answer: '180',
  },
  {
    id: 'tickets',
    level: 'warm-up',
    title: 'Tickets',
    text: 'A ticket costs 7 dollars. How much do 12 tickets cost?',
    answer: '84',
  },
  {
    id: 'change',
    level: 'several-steps',
    title: 'Change',
    text: 'Omar buys 3 notebooks for 4 dollars each and 2 pens for 3 dollars each. He pays with 20 dollars. How much change does he get?',
    answer: '2',
  },
  {
    id: 'wages',
    level: 'several-steps',
    title: 'Wages',
    text: 'Maya earns 15 dollars an hour. She works 6 hours on Monday and 4 hours on Tuesday. How much does she earn in total?',
    answer: '150',
  },
  {
    id: 'discount',
    level: 'several-steps',
    title: 'Discount',
    text: 'A jacket costs 80 dollars. It is on sale for 25% off. What is the sale price?',
    answer: '60',
  },
  {
    id: 'equation',
    level: 'several-steps',
    title: 'Equation',
    text: 'Solve for x: 4x + 9 = 37',
    answer: '7',
  },
  {
    id: 'average',
    level: 'several-steps',
    title: 'Average',
    text: 'The scores of four tests are 72, 85, 90 and 77. What is the average score?',
    answer: '81',
  },
  {
    id: 'tank',
    level: 'several-steps',
    title: 'Leaking tank',
    text: 'A tank holds 90 liters. A pipe fills it with 6 liters per minute, and 1 liter per minute leaks out. How many minutes does it take to fill the tank?',
    answer: '18',
  },
  {
    id: 'hens',
    level: 'hard',
    title: 'Hens',
    text: 'A farmer has 16 hens. Each hen lays 2 eggs a day. He eats 5 eggs a day and sells the rest for 2 dollars each. How many dollars does he earn in 7 days?',
    answer: '378',
  },
  {
    id: 'phone',
    level: 'hard',
    title: 'Up and down 10%',
    text: 'A phone costs 200 dollars. Its price is raised by 10% and then lowered by 10%. What is the price now?',
    answer: '198',
  },
  {
    id: 'fence',
    level: 'hard',
    title: 'Fence',
    text: 'A rectangular garden is 12 meters long and half as wide. A fence costs 5 dollars per meter. How much does a fence around the garden cost?',
    answer: '180',
  },
  {
    id: 'cyclists',
    level: 'hard',
    title: 'Two cyclists',
    text: 'Two cyclists start 90 miles apart and ride toward each other at 12 and 18 miles per hour. After how many hours do they meet?',
    answer: '3',
  },
  {
    id: 'ages',
    level: 'hard',
    title: 'Ages',
    text: 'Ana is three times as old as Luis. In 8 years the sum of their ages will be 56. How old is Ana now?',
    answer: '30',
  },
];
