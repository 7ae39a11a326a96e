import type { Fragment } from 'postgres';
import type { Queryable } from '../core/client.ts';

/** The words of a text without accents, case and punctuation: an expression of indexes. */
const wordsText = (text: string): string => `
  to_tsvector('simple', regexp_replace(
    lower(regexp_replace(normalize(${text}, nfkd), '[\\u0300-\\u036f]', '', 'g')),
    '[!-/:-@\\[-\`{-~]+', ' ', 'g'
  ))`;

/** The words by which reviewers search offers: the expression of `offers_awaiting_by_words`. */
export const offerWords = (sql: Queryable, table: string): Fragment =>
  sql.unsafe(
    wordsText(
      ['vendor_external_id', 'vendor_sku', 'raw_brand_name', 'raw_product_name']
        .concat('raw_concentration')
        .map((column) => `coalesce(${table}.${column}, '')`)
        .join(` || ' ' || `),
    ),
  );

/**
 * A subquery: the search for all words of a text. It goes through the expression of the indexes, so
 * that equal words are equal. Null for a text without a letter or digit, which finds nothing.
 */
export const wordsOf = (sql: Queryable, text: string): Fragment => sql`
  select string_agg('''' || word || ''':*', ' & ')::tsquery
  from (select ${text}::text as text) as searched
  cross join lateral unnest(tsvector_to_array(${sql.unsafe(wordsText('searched.text'))})) as word`;
