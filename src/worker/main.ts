import { expose } from 'comlink';
import { Engine } from './engine.ts';

// Before anything that waits: a message that arrives earlier would be lost.
expose(new Engine());
