import { describe, expect, it } from 'vitest';
import { chatFrames } from '../../../src/runtime/chat-frames.ts';
import { pocketTokenizer } from '../scoring/real-tokenizer.ts';

const framesOf = async (template?: string) => chatFrames(await pocketTokenizer(template));

const CHATML = `{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nBe right.<|im_end|>\n' }}{% endif %}
{%- for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`;

const LLAMA = `{{- bos_token }}
{%- if not date_string is defined %}{%- if strftime_now is defined %}{%- set date_string = strftime_now("%d %b %Y") %}{%- else %}{%- set date_string = "26 Jul 2024" %}{%- endif %}{%- endif %}
{{- "<|start|>system<|end|>\\n\\nToday Date: " + date_string + "<|eot|>" }}
{%- for message in messages %}
    {{- '<|start|>' + message['role'] + '<|end|>\\n\\n' + message['content'] | trim + '<|eot|>' }}
{%- endfor %}`;

const MISTRAL = `{{ bos_token }}{% for message in messages %}
{%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}{% endif %}
{%- if message['role'] == 'user' %}{{ '[INST] ' + message['content'].strip() + ' [/INST]' }}{% else %}{{ ' ' + message['content'] | trim + eos_token }}{% endif %}
{%- endfor %}`;

describe('the frames of a chat template', () => {
  it('of ChatML hold its default system message', async () => {
    expect(await framesOf(CHATML)).toEqual({
      open: '<|im_start|>system\nBe right.<|im_end|>\n<|im_start|>user\n',
      reply: '<|im_end|>\n<|im_start|>assistant\n',
      next: '<|im_end|>\n<|im_start|>user\n',
      answer: '<|im_end|>\n<|im_start|>assistant\n',
      end: '<|im_end|>\n',
    });
  });

  it('of Llama 3 hold begin-of-text once, and the same day on every day', async () => {
    expect(await framesOf(LLAMA)).toEqual({
      open: '<bos><|start|>system<|end|>\n\nToday Date: 26 Jul 2024<|eot|><|start|>user<|end|>\n\n',
      reply: '<|eot|><|start|>assistant<|end|>\n\n',
      next: '<|eot|><|start|>user<|end|>\n\n',
      answer: '<|eot|><|start|>assistant<|end|>\n\n',
      end: '<|eot|>',
    });
  });

  it('of a template that trims what is said are whole', async () => {
    expect(await framesOf(MISTRAL)).toEqual({
      open: '<bos>[INST] ',
      reply: ' [/INST] ',
      next: '<eos>[INST] ',
      answer: ' [/INST] ',
      end: '<eos>',
    });
  });

  it('of a template that puts thoughts before the last answer only are those of one question for an answer', async () => {
    const thinking = `{%- for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' }}
{%- if message['role'] == 'assistant' and loop.last %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}
{{- message['content'] + '<|im_end|>\\n' }}{% endfor %}`;
    expect(await framesOf(thinking)).toEqual({
      open: '<|im_start|>user\n',
      reply: '<|im_end|>\n<|im_start|>assistant\n',
      next: '<|im_end|>\n<|im_start|>user\n',
      answer: '<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
      end: '<|im_end|>\n',
    });
  });

  it('are what stands around the texts of a real conversation', async () => {
    for (const template of [CHATML, MISTRAL]) {
      const tokenizer = await pocketTokenizer(template);
      const { open, reply, next, end } = chatFrames(tokenizer)!;
      const texts = ['a?', 'b', 'c?', 'd'];
      const rendered = tokenizer.apply_chat_template(
        texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
        { tokenize: false },
      );
      expect(`${open}a?${reply}b${next}c?${reply}d${end}`).toBe(rendered);
    }
  });
});

describe('there are none', () => {
  it('without a template', async () => {
    expect(await framesOf()).toBeNull();
  });

  it.each([
    ['throws', "{{ raise_exception('Only one question') }}"],
    ['cannot be read', '{% for m in %}'],
    [
      'leaves out answers',
      "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}",
    ],
    ['gives only the last turn', '{{ messages[-1].content }}'],
    ['says something twice', '{% for m in messages %}{{ m.content }}{{ m.content }}{% endfor %}'],
    ['turns the order around', '{% for m in messages[::-1] %}{{ m.content }}{% endfor %}'],
    ['changes what was said', '{% for m in messages %}{{ m.content | upper }}{% endfor %}'],
    ['says nothing', ''],
  ])('of a template that %s', async (_, template) => {
    expect(await framesOf(template)).toBeNull();
  });
});
