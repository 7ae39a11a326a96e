import { fieldEntry } from '../validation/field-errors.ts';
import { isFull, refusal, type ItemReader } from './item-reader.ts';
import { UnreadableItem } from './job-item-parsers.ts';

/** The most of one item, and of another member of the body, in characters. */
const partMax = 64 * 1024;
/** Names of the body beside that of the items; a job knows one. The others are listed as unknown. */
const othersMax = 100;
/** Levels of objects and lists in an item; no item has more than two. */
const depthMax = 20;

const notJson = () => refusal('malformed', 'is not JSON');
const notObject = () => refusal('invalid_type', 'must be of type object');
const unreadable = (message: string): UnreadableItem =>
  new UnreadableItem([fieldEntry([], 'malformed', message)]);

/** How a JSON value begins that is no object. */
const otherValue = /^(?:[["\d-]|null|true|false)/;
/** The characters that decide where a part ends: within a text, and outside texts. */
const signsOfText = /["\\]/g;
const signs = /["{}[\],]/g;
const blanks = /^[ \t\n\r]+/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** The members of an object by the text between its brackets. */
const membersOf = (text: string) => Object.entries(parse(`{${text}}`) as object);

/**
 * Reads a body `{…, "items": […]}` item by item, without the whole text in memory: it finds where
 * each part ends, an item or another member, and parses the part. An item that is too large or too
 * deep is unreadable, and is passed over. Throws for a text that is not JSON. `@streamparser/json`
 * builds an item before it can be refused: 2 MiB of brackets take 600 MB.
 */
export function jsonReader(): ItemReader<Readonly<Record<string, unknown>>> {
  let items: unknown[] | null = null;
  /** A repeated name replaces the earlier one, as in JSON. */
  const others = new Map<string, unknown>();
  /** The text from where the part begins, and how far it is read. */
  let rest = '';
  let at = 0;
  /** The brackets that are open. */
  let depth = 0;
  let isText = false;
  /** The text of their member before the list of the items, while the list is read. */
  let listName: string | null = null;
  let isOver = false;
  /** Of the part: whether it may be missing, as in `[]`, and whether it exceeds a limit. */
  let isFirst = true;
  let isLarge = false;
  let isDeep = false;

  const takeItem = (text: string): void => {
    if (items === null || isFull(items)) return;
    const limit = isLarge ? `${partMax} characters` : `${depthMax} levels`;
    items.push(isLarge || isDeep ? unreadable(`has more than ${limit}`) : parse(text));
  };

  const takeMember = (text: string): void => {
    if (isLarge || isDeep)
      throw refusal('malformed', `has a value of more than ${partMax} characters`);
    const [member] = membersOf(text);
    if (member === undefined) throw notJson();
    const [name, value] = member;
    // The list of the items was left out of the text.
    if (name === 'items' && Array.isArray(value)) others.delete(name);
    else others.set(name, value);
    if (others.size > othersMax)
      throw refusal('too_many', `has an object with more than ${othersMax} names`);
  };

  /** Begins a part after the character at `index`. */
  const begin = (index: number, isFirstPart: boolean): void => {
    rest = rest.slice(index + 1);
    at = 0;
    isFirst = isFirstPart;
    isLarge = false;
    isDeep = false;
  };

  /** Ends the part before a comma or a bracket. */
  const endPart = (index: number, sign: string): void => {
    const text = rest.slice(0, index).replace(blanks, '');
    if (text.length > partMax) isLarge = true;
    if (!isFirst || isLarge || text !== '' || sign === ',')
      (listName === null ? takeMember : takeItem)(text);
    begin(index, false);
  };

  const open = (index: number, sign: string): void => {
    depth += 1;
    if (depth === 1) begin(index, true);
    else if (depth === 2 && sign === '[') {
      const name = rest.slice(0, index);
      if (membersOf(`${name}0`)[0]?.[0] !== 'items') return;
      listName = name;
      items = [];
      begin(index, true);
    } else if (depth > depthMax + (listName === null ? 1 : 2)) isDeep = true;
  };

  const close = (index: number, sign: string): void => {
    depth -= 1;
    if (listName !== null && depth === 1) {
      if (sign !== ']') throw notJson();
      endPart(index, sign);
      rest = `${listName}[]${rest}`;
      at = listName.length + 2;
      listName = null;
    } else if (depth === 0) {
      if (sign !== '}') throw notJson();
      endPart(index, sign);
      isOver = true;
    }
  };

  /** Takes the next sign of the text; false at the end of the text. */
  const readOn = (): boolean => {
    if (depth === 0) {
      rest = rest.replace(blanks, '');
      if (rest === '') return false;
      if (isOver) throw notJson();
      if (!rest.startsWith('{')) throw otherValue.test(rest) ? notObject() : notJson();
    }
    const wanted = isText ? signsOfText : signs;
    wanted.lastIndex = at;
    const { 0: sign = '', index = 0 } = wanted.exec(rest) ?? {};
    if (sign === '') return false;
    at = index + 1;
    // The escaped character may be in the next piece.
    if (sign === '\\') at += 1;
    else if (sign === '"') isText = !isText;
    else if (sign === '{' || sign === '[') open(index, sign);
    else if (sign !== ',') close(index, sign);
    else if (depth === (listName === null ? 1 : 2)) endPart(index, sign);
    return true;
  };

  return {
    write: (text) => {
      rest += text;
      while (readOn());
      at = Math.max(at, rest.length);
      if (rest.length <= partMax || rest.replace(blanks, '').length <= partMax) return;
      isLarge = true;
      at -= rest.length;
      rest = '';
    },
    end: () => {
      // An empty body has the errors of an empty object.
      if (depth > 0) throw notJson();
      return { ...(items === null ? {} : { items }), ...Object.fromEntries(others) };
    },
  };
}
