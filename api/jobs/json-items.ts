import { fieldEntry } from '../validation/field-errors.ts';
import { isFull, refusal, type ItemReader } from './item-reader.ts';
import { UnreadableItem } from './job-item-parsers.ts';

/** The most of one item, and of another value of the body, in characters. */
const valueMax = 64 * 1024;
/**
 * Names of the body beside that of the items; a job knows one. The others are listed as unknown.
 */
const othersMax = 100;
/** Levels of objects and lists in an item; no item has more than two. */
const depthMax = 20;

const whiteSpace: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const notJson = () => refusal('malformed', 'is not JSON');
const tooManyNames = () => refusal('too_many', `has an object with more than ${othersMax} names`);
const notObject = () => refusal('invalid_type', 'must be of type object');
/** How a JSON value begins that is no object. */
const otherValue = /^(?:[["\d-]|null|true|false)/;
const unreadable = (message: string): UnreadableItem =>
  new UnreadableItem([fieldEntry([], 'malformed', message)]);

/** What the reader expects next in the object of the body, or in its list of items. */
type Expected =
  | 'object'
  | 'name or end'
  | 'name'
  | 'colon'
  | 'value'
  | 'comma'
  | 'item or end'
  | 'item'
  | 'comma of items'
  | 'nothing';

/**
 * Reads a body `{…, "items": […]}` item by item, without the whole text in memory. An item that is
 * too large or too deep is unreadable, and is passed over. Throws for a text that is not JSON.
 * `@streamparser/json` builds an item before it can be refused: 2 MiB of brackets take 600 MB.
 */
export function jsonReader(): ItemReader<Readonly<Record<string, unknown>>> {
  let items: unknown[] = [];
  let hasItems = false;
  /** A repeated name replaces the earlier one, as in JSON. */
  const others = new Map<string, unknown>();
  let expected: Expected = 'object';
  let name = '';
  let rest = '';
  /** Where the value begins, and how far the text is read. */
  let start = 0;
  let at = 0;
  /** The value that is being read: where it begins, and what has been seen of it. */
  let value: { depth: number; isText: boolean; isLarge: boolean; isDeep: boolean } | null = null;

  /** Ends the value before `end`. */
  const take = (end: number): void => {
    const { isLarge, isDeep } = value ?? { isLarge: false, isDeep: false };
    at = end;
    value = null;
    const isItem = expected === 'item' || expected === 'item or end';
    if (isLarge || isDeep) {
      if (!isItem) throw refusal('malformed', `has a value of more than ${valueMax} characters`);
      const limit = isLarge ? `${valueMax} characters` : `${depthMax} levels`;
      if (!isFull(items)) items.push(unreadable(`has more than ${limit}`));
    } else if (!isItem || !isFull(items)) takeParsed(parse(rest.slice(start, end)), isItem);
    expected = nextOf(expected);
  };

  const takeParsed = (parsed: unknown, isItem: boolean): void => {
    if (isItem) items.push(parsed);
    else if (expected === 'value') {
      others.set(name, parsed);
      if (others.size > othersMax) throw tooManyNames();
    } else if (typeof parsed === 'string') name = parsed;
    else throw notJson();
  };

  /** Reads on within a value; false at the end of the text. */
  const readOn = (isEnd: boolean): boolean => {
    if (value === null) return true;
    for (; at < rest.length; at += 1) {
      const character = rest[at] ?? '';
      if (at - start > valueMax) {
        value.isLarge = true;
        start = at;
      }
      if (value.isText) {
        if (character === '\\') {
          // The escaped character may be in the next piece.
          if (at + 1 >= rest.length && !isEnd) return false;
          at += 1;
        } else if (character === '"') {
          value.isText = false;
          if (value.depth === 0) return end(at + 1);
        }
      } else if (character === '"') value.isText = true;
      else if (character === '{' || character === '[') {
        value.depth += 1;
        if (value.depth > depthMax) value.isDeep = true;
      } else if (character === '}' || character === ']') {
        if (value.depth === 0) return end(at);
        value.depth -= 1;
        if (value.depth === 0) return end(at + 1);
      } else if (value.depth === 0 && (character === ',' || whiteSpace.has(character)))
        return end(at);
    }
    return false;
  };
  const end = (index: number): boolean => {
    take(index);
    return true;
  };

  /** Takes a character of the structure, or begins a value; false for one that is not expected. */
  const takeCharacter = (character: string): boolean => {
    const next = structure[expected][character];
    if (next !== undefined) {
      if (expected === 'value' && character === '[') {
        if (name !== 'items') return false;
        items = [];
        hasItems = true;
        others.delete(name);
      }
      expected = next;
      at += 1;
      return true;
    }
    return false;
  };

  const scan = (isEnd: boolean): void => {
    while (readOn(isEnd)) {
      while (whiteSpace.has(rest[at] ?? '')) at += 1;
      const character = rest[at];
      if (character === undefined) return;
      if (takeCharacter(character)) continue;
      if (expected === 'object') throw otherValue.test(rest.slice(at)) ? notObject() : notJson();
      if (!valueBegins(expected, character)) throw notJson();
      value = { depth: 0, isText: false, isLarge: false, isDeep: false };
      start = at;
    }
  };

  return {
    write: (text) => {
      const kept = value === null ? at : start;
      rest = rest.slice(kept) + text;
      at -= kept;
      start -= kept;
      scan(false);
    },
    end: () => {
      scan(true);
      // An empty body has the errors of an empty object.
      if ((expected !== 'nothing' && expected !== 'object') || value !== null) throw notJson();
      return { ...(hasItems && { items }), ...Object.fromEntries(others) };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** The characters of the structure, and what is expected after each. */
const structure: Readonly<Record<Expected, Readonly<Record<string, Expected>>>> = {
  object: { '{': 'name or end' },
  'name or end': { '}': 'nothing' },
  name: {},
  colon: { ':': 'value' },
  // Only the list of the items: other lists are values as a whole.
  value: { '[': 'item or end' },
  comma: { ',': 'name', '}': 'nothing' },
  'item or end': { ']': 'comma' },
  item: {},
  'comma of items': { ',': 'item', ']': 'comma' },
  nothing: {},
};

const afterValue: Readonly<Partial<Record<Expected, Expected>>> = {
  'name or end': 'colon',
  name: 'colon',
  value: 'comma',
  'item or end': 'comma of items',
  item: 'comma of items',
};
const nextOf = (expected: Expected): Expected => afterValue[expected] ?? 'nothing';

/** Whether a value may begin here with this character; a name begins with a quote. */
const valueBegins = (expected: Expected, character: string): boolean =>
  expected in afterValue &&
  (expected === 'name' || expected === 'name or end'
    ? character === '"'
    : !/[\]},:]/.test(character));
