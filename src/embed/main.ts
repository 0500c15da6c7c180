import { mount } from 'svelte';
import '../ui/styles/tokens.css';
import '../ui/styles/base.css';
import './embed.css';
import Embed from './Embed.svelte';
import { reportHeight } from './report-height.ts';

const target = document.querySelector('#embed');
if (target === null) throw new Error('The page has no place for the frame.');
mount(Embed, { target });
reportHeight(target);
