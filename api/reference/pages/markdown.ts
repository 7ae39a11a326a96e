import { Marked, type Token, type Tokens } from 'marked';
import { diagramFigure } from './diagrams.ts';
import { escaped } from '../../../domain/texts/escaped-html.ts';

/** A heading's anchor, the same as on GitHub. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Maps the text `/docs/offers.md#money` to its page, `/docs/offers#money`. */
const hrefOf = (href: string): string => href.replace(/^(\/[\w/-]+)\.md(?=#|$)/, '$1');

/** The languages whose consecutive blocks are one example in several languages. */
const tabNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  go: 'Go',
  java: 'Java',
  php: 'PHP',
};

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === 'code';

/** Puts two or more blocks of different languages that follow one another into one `tabs` token. */
function groupTabs(tokens: readonly Token[]): Token[] {
  const grouped: Token[] = [];
  let blocks: Tokens.Code[] = [];
  const close = (): void => {
    if (blocks.length > 1) grouped.push({ type: 'tabs', raw: '', blocks });
    else grouped.push(...blocks);
    blocks = [];
  };
  for (const token of tokens) {
    if (token.type === 'space' && blocks.length > 0) continue;
    const isTab = isCode(token) && Object.hasOwn(tabNames, token.lang ?? '');
    if (!isTab || blocks.some(({ lang }) => lang === token.lang)) close();
    if (isTab) blocks.push(token);
    else grouped.push(token);
  }
  close();
  return grouped;
}

const preOf = ({ text, lang = '' }: Tokens.Code): string =>
  `<pre><code class="language-${escaped(lang)}">${escaped(text)}\n</code></pre>\n`;

/** Without a script the blocks are below one another, each under its name. */
function tabsOf(blocks: readonly Tokens.Code[]): string {
  const panels = blocks.map((block) => {
    const name = tabNames[block.lang ?? ''] ?? '';
    return `<section data-tab="${name}"><p class="language">${name}</p>\n${preOf(block)}</section>`;
  });
  return `<div class="tabs">${panels.join('\n')}</div>\n`;
}

/** Converts a guide's served text, with the alerts that Git hosts know (`> [!WARNING]`). */
export const markdown = new Marked({
  hooks: { processAllTokens: groupTabs },
  extensions: [
    { name: 'tabs', renderer: ({ blocks }) => tabsOf(blocks as readonly Tokens.Code[]) },
  ],
  renderer: {
    heading({ tokens, depth, text }) {
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchorOf(text.replaceAll('`', ''))}">${content}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escaped(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    image: ({ href, text }) =>
      `<img src="${escaped(href)}" alt="${escaped(text)}" loading="lazy" />`,
    code: (token) => (token.lang === 'mermaid' ? diagramFigure(token.text) : null) ?? preOf(token),
    blockquote({ tokens }) {
      const content = this.parser.parse(tokens);
      const [start = '', kind = ''] = /^<p>\[!(\w+)\]\s*/.exec(content) ?? [];
      if (kind === '') return `<blockquote>${content}</blockquote>\n`;
      const name = kind.charAt(0) + kind.slice(1).toLowerCase();
      const body = content.slice(start.length);
      return `<div class="alert" role="note"><p><strong>${name}.</strong> ${body}</div>\n`;
    },
  },
});
