import { readFileSync } from 'node:fs';

/** A view of the Temporal UI, as docs/temporal-ui.md describes it. */
export type UiView = {
  readonly title: string;
  readonly url: URL;
  /** The query of the link. */
  readonly query: string;
  /** Narrower queries with placeholders in capital letters. */
  readonly narrowed: readonly string[];
};

const page = new URL('../../docs/temporal-ui.md', import.meta.url);

/** The views by the names of their links and images. */
export function readViews(): ReadonlyMap<string, UiView> {
  const text = readFileSync(page, 'utf8');
  const views = text.split(/^## /m).slice(1);
  return new Map(
    views.map((section) => {
      const [title = ''] = section.split('\n');
      const name = /\[Open the view\]\[([\w-]+)\]/.exec(section)?.[1] ?? title;
      const url = new RegExp(`^\\[${name}\\]:\\s+(\\S+)$`, 'm').exec(text)?.[1] ?? '';
      const [query = '', narrowed = ''] = Array.from(
        section.matchAll(/```sql\n([^`]+)\n```/g),
        ([, block = '']) => block,
      );
      return [name, { title, url: new URL(url), query, narrowed: narrowed.split('\n') }];
    }),
  );
}
