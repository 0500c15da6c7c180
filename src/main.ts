import { mount } from 'svelte';
import { Session } from './session/session.svelte.ts';
import { spawnWorker } from './session/spawn-worker.ts';
import App from './ui/App.svelte';
import './ui/styles/tokens.css';
import './ui/styles/base.css';

const session = new Session(new URL('./', document.baseURI).href, spawnWorker);
void session.describe();

const target = document.querySelector('#app');
if (target === null) throw new Error('The page has no place for the app.');
mount(App, { target, props: { session } });
