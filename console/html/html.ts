import { escaped } from '../../domain/texts/escaped-html.ts';

/** What a page may hold. A text or a number is escaped; null and false are nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

const rendered = (part: Part): string => {
  if (part instanceof Html) return String(part);
  if (typeof part === 'object' && part !== null) return part.map(rendered).join('');
  return part === null || part === undefined || part === false ? '' : escaped(String(part));
};

/** A piece of HTML. Only {@link html} makes one, so that a plain text never enters unescaped. */
export class Html {
  readonly #source: string;
  private constructor(source: string) {
    this.#source = source;
  }
  static of(strings: TemplateStringsArray, parts: readonly Part[]): Html {
    return new Html(strings.map((text, index) => text + rendered(parts[index])).join(''));
  }
  toString(): string {
    return this.#source;
  }
}

/** `html` followed by a template: its parts are escaped. Attributes with a part have quotes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  Html.of(strings, parts);
