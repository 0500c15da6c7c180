import { describe, expect, it } from 'vitest';
import { spokenStep, typesetStep } from '../../../src/ui/text/typeset.ts';

describe('a step', () => {
  it.each([
    ['Pencils in boxes: 4*12=48', 'Pencils in boxes', '4 × 12 = 48'],
    ['Answer: 3/4', 'Answer', '3/4'],
    ['Half: 10/4=2.5', 'Half', '10 ÷ 4 = 2.5'],
    ['x=7-3=4', null, 'x = 7 − 3 = 4'],
    ['He spends 3*20=$60 on the shares.', null, 'He spends 3 × 20 = $60 on the shares.'],
    ['He drives 60 miles/hour*2 hours=120 miles.', null, 'He drives 60 miles/hour × 2 hours = 120 miles.'],
    ['The 3-day trip costs 3*20=$60.', null, 'The 3-day trip costs 3 × 20 = $60.'],
    ['So there are 2 x 30 = 60 dollars.', null, 'So there are 2 × 30 = 60 dollars.'],
    ['She pays 3*$5=$15, so 60-15=45 are left.', null, 'She pays 3 × $5 = $15, so 60 − 15 = 45 are left.'],
    ['Half of them is 1/2*60=30.', null, 'Half of them is 1 ÷ 2 × 60 = 30.'],
    ['20% of 50 is 20/100*50=10', null, '20% of 50 is 20 ÷ 100 × 50 = 10'],
    ['Solve 2x=8', null, 'Solve 2x = 8'],
  ])('%s', (text, label, statement) => {
    expect(typesetStep(text)).toMatchObject({ label, statement });
  });

  it('keeps its colon where a clause stands before it', () => {
    const text = 'Hence, the fee is twice that of the waiter: 2*30=60';
    expect(typesetStep(text)).toMatchObject({ label: null, isProse: true });
    expect(spokenStep(text)).toBe('Hence, the fee is twice that of the waiter: 2 × 30 = 60');
  });

  it('is prose only as a sentence', () => {
    expect(typesetStep('He spends 3*20=$60 on the shares.').isProse).toBe(true);
    expect(typesetStep('Pencils that are left: 48-9=39').isProse).toBe(false);
    expect(typesetStep('48-9=39 pencils').isProse).toBe(false);
  });
});
