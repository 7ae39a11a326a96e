import { withAsciiDigits } from './digits.ts';
import { firstCharacters } from './first-characters.ts';
import { withoutInvisible } from './invisible.ts';

/**
 * How texts are compared in searches, in TypeScript. `fold_text` and `words_of`
 * (db/functions/texts) do the same in SQL, and a test compares them for each character.
 */

/** Signs whose decomposition has letters or a blank that a reader does not see. */
const signs = /[\u2120\u2122\u02b9-\u02bf]/g;
const isolatedMarks = /[\ufc5e-\ufc63\ufe70\ufe72\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e]/g;

/** Accents, points of Arabic and Hebrew, tatweel, and the hamza, which has many forms or none. */
const marks = new RegExp(
  '[\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7' +
    '\\u0600-\\u0605\\u0610-\\u061a\\u0621\\u0640\\u064b-\\u065f\\u0670\\u0674\\u06d6-\\u06e4' +
    '\\u06e7\\u06e8\\u06ea-\\u06ed\\u0890\\u0891\\u0897-\\u089f\\u08ca-\\u08ff\\u1ab0-\\u1aff' +
    '\\u1dc0-\\u1dff\\u20d0-\\u20ff\\u3099\\u309a\\ufe20-\\ufe2f]',
  'g',
);

/** Letters that Unicode does not decompose, and what people write for them. */
const letters: ReadonlyMap<string, string> = new Map(
  (
    'ßss æae œoe þth ðd đd ɖd ɗd ƀb ɓb ȼc ƈc ƒf ǥg ɠg ħh ıi ɨi ȷj ɉj ƙk łl ƚl ŋn ɲn øo ɵo ƥp ɍr ŧt ' +
    'ʉu ɏy ƴy ƶz əe ςσ ٱا ٲا ٳا ىي یي ۍي ېي ےي ةه ھه ہه ۃه ەه کك ڪك'
  )
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);
const lettersToFold = new RegExp(`[${[...letters.keys()].join('')}]`, 'g');

/**
 * The words of a text with one blank between them, without case, accents and forms of letters, and
 * with ASCII digits.
 */
export const foldText = (text: string): string =>
  withAsciiDigits(
    withoutInvisible(text)
      .replaceAll(signs, ' ')
      .replaceAll(isolatedMarks, '')
      .normalize('NFKD')
      .replaceAll(marks, '')
      .toLowerCase()
      .replaceAll(lettersToFold, (letter) => letters.get(letter) ?? letter),
  )
    .replaceAll(/[^\p{Alphabetic}\p{Nd}]+/gu, ' ')
    .trim();

/** The Arabic article with the conjunction and preposition before it; two letters follow. */
const article = /^(?:[وف]?[بك]?ال|[وف]?(?=لل)ل(?<for>ل))(?=..)/u;

/** The most characters of a word that count. */
const wordMax = 255;

/** A word in each form that finds it: whole and, if it has an article, without it. */
export type Word = readonly [whole: string, ...bare: string[]];

const formsOf = (word: string): Word => {
  const found = article.exec(word);
  if (found === null) return [word];
  const bare = word.slice(found[0].length);
  // After the preposition the article has lost its alef, and before a lam its lam too.
  return found.groups?.['for'] === undefined ? [word, bare] : [word, bare, `ل${bare}`];
};

/** A name, folded and without articles: equal names are the same. */
export const foldName = (name: string): string =>
  foldText(name)
    .split(' ')
    .map((word) => word.replace(article, ''))
    .join(' ');

/** The words of a text, folded. */
export const wordsOf = (text: string): readonly Word[] =>
  foldText(text)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => formsOf(firstCharacters(word, wordMax)));

/** The forms of a word that a search looks for: those without the article, if it has one. */
export const searchedForms = ([whole, ...bare]: Word): readonly string[] =>
  bare.length === 0 ? [whole] : bare;

/** Whether two words are the same but for an article. */
export const isSameWord = (one: Word, other: Word): boolean =>
  searchedForms(one).some((form) => searchedForms(other).includes(form));
