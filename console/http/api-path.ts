import { Refusal } from './refusal.ts';

const id = /^(?:ord_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const names = /^[a-z]+(?:[-/][a-z]+)*$/;

/** Whether a text is an id of the API, also with the prefix of an order. */
export const isId = (text: string): boolean => id.test(text);

/**
 * A path of the API. Only {@link apiPath} makes one, so that a text of an address or of a form
 * never leads to another route.
 */
export class ApiPath {
  readonly #text: string;
  private constructor(text: string) {
    this.#text = text;
  }
  static of(strings: TemplateStringsArray, parts: readonly (ApiPath | string)[]): ApiPath {
    const texts = parts.map((part) => {
      if (part instanceof ApiPath) return String(part);
      if (!isId(part)) throw new Refusal(404, 'NOT_FOUND_ROUTE');
      return part;
    });
    return new ApiPath(strings.map((text, index) => text + (texts[index] ?? '')).join(''));
  }
  /** The path below this one with a fixed name, such as the name of a move. */
  below(name: string): ApiPath {
    if (!names.test(name)) throw new Refusal(404, 'NOT_FOUND_ROUTE');
    return new ApiPath(`${this.#text}/${name}`);
  }
  toString(): string {
    return this.#text;
  }
}

/** `apiPath` followed by a template: each part is an id, which is checked, or another `apiPath`. */
export const apiPath = (
  strings: TemplateStringsArray,
  ...parts: readonly (ApiPath | string)[]
): ApiPath => ApiPath.of(strings, parts);
