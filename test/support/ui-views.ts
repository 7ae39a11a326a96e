import { readFileSync } from 'node:fs';

const page = new URL('../../docs/temporal-ui.md', import.meta.url);

function readViews() {
  const text = readFileSync(page, 'utf8');
  const sections = text.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n');
      const name = /\[Open the view\]\[([\w-]+)\]/.exec(section)?.[1] ?? title;
      const url = new RegExp(`^\\[${name}\\]:\\s+(\\S+)$`, 'm').exec(text)?.[1] ?? '';
      const [query = '', narrowed = ''] = Array.from(
        section.matchAll(/```sql\n([^`]+)\n```/g),
        ([, block = '']) => block,
      );
      return [name, { title, url: new URL(url), query, narrowed: narrowed.split('\n') }] as const;
    }),
  );
}

/**
 * The views of docs/temporal-ui.md by the names of their links and images: each with the query of
 * its link, and narrower ones with placeholders in capital letters.
 */
export const views = readViews();

/**
 * A query of a view with its placeholders replaced: of the link, or a narrowed one by its position.
 */
export function queryOf(
  name: string,
  position: number | 'link',
  values: Readonly<Record<string, string>> = {},
): string {
  const view = views.get(name);
  const query = position === 'link' ? view?.query : view?.narrowed[position];
  if (query === undefined) throw new Error(`no such query: ${name} ${position}`);
  const filled = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    query,
  );
  if (/"[A-Z_]+"/.test(filled)) throw new Error(`a placeholder has no value: ${filled}`);
  return filled;
}
