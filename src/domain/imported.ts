/** Stands where the model would be named that wrote a solution, or that scored it, in data that somebody opened. */
export const IMPORTED = 'imported';
