-- The words of a text with one blank between them, without case, accents and forms of letters, and
-- with ASCII digits: foldText of domain/texts/fold-text.ts, with which a test compares it. Its
-- collation makes the result the same in every database.
create or replace function fold_text(given text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  folded text := given;
  zero integer;
begin
  if octet_length(folded) > char_length(folded) then
    folded := regexp_replace(folded,
      '[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff'
        || '\ufff9-\ufffb\U000e0000-\U000e0fff\ufc5e-\ufc63\ufe70\ufe72\ufe74\ufe76\ufe78\ufe7a'
        || '\ufe7c\ufe7e]', '', 'g');
    folded := normalize(regexp_replace(folded, '[\u2120\u2122\u02b9-\u02bf]', ' ', 'g'), nfkd);
    folded := regexp_replace(folded,
      '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0600-\u0605'
        || '\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u0674\u06d6-\u06e4\u06e7\u06e8\u06ea-\u06ed'
        || '\u0890\u0891\u0897-\u089f\u08ca-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099'
        || '\u309a\ufe20-\ufe2f]', '', 'g');
    folded := translate(lower(folded collate pg_unicode_fast),
      'ðđɖɗƀɓȼƈƒǥɠħıɨȷɉƙłƚŋɲøɵƥɍŧʉɏƴƶəςٱٲٳىیۍېےةھہۃەکڪ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹',
      'ddddbbccfgghiijjkllnnooprtuyyzeσااايييييهههههكك01234567890123456789');
    folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    if folded ~ '(?![0-9])[[:digit:]]' collate pg_unicode_fast then
      for zero in select ('x' || lpad(digits, 8, '0'))::bit(32)::integer
        from regexp_split_to_table('7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 '
          || '1090 17e0 1810 1946 19d0 1a80 1a90 1b50 1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 '
          || 'abf0 104a0 10d30 10d40 11066 110f0 11136 111d0 112f0 11450 114d0 11650 116c0 116d0 '
          || '116da 11730 118e0 11950 11bf0 11c50 11d50 11da0 11de0 11f50 16130 16a60 16ac0 16b50 '
          || '16d70 1e140 1e2f0 1e4f0 1e5f1 1e950', ' ') as digits
      loop
        folded := translate(
          folded,
          (select string_agg(chr(zero + digit), '' order by digit) from generate_series(0, 9) as digit),
          '0123456789'
        );
      end loop;
    end if;
  end if;
  return trim(regexp_replace(lower(folded collate pg_unicode_fast), '[^[:alnum:]]+', ' ', 'g'));
end $$;
