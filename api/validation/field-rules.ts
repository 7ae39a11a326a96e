import * as v from 'valibot';

/** Rules between the fields of a body. A message is `code: text`, as that of a field. */

/**
 * A rule on some fields of a body, judged as soon as these are well-formed, whatever is wrong with others; `holds` may look
 * at these only. A breach is an entry on the field `at`; `message` is `code: text`.
 */
export const rule = <TBody extends Record<string, unknown>>(
  fields: readonly (keyof TBody & string)[],
  at: keyof TBody & string,
  message: string,
  holds: (body: TBody) => boolean,
): v.GenericValidation<TBody> =>
  // Valibot's paths are tuples of literals, which a list of names cannot be shown to be.
  v.forward(
    v.partialCheck(
      fields.map((field) => [field]) as never,
      holds as (body: unknown) => boolean,
      message,
    ),
    [at] as never,
  ) as unknown as v.GenericValidation<TBody>;

/** Whether a field was sent: null says nothing (D25). A malformed value was sent, too. */
export const isPresent = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * A rule on which fields of a body there are, judged whatever else is wrong with them: what is missing is listed beside what
 * is malformed (D3). A breach is an entry on the field `at`; `message` is `code: text`.
 */
export const presenceRule = <TBody extends Record<string, unknown>>(
  at: keyof TBody & string,
  message: string,
  holds: (body: Readonly<Partial<Record<keyof TBody, unknown>>>) => boolean,
): v.GenericValidation<TBody> =>
  v.rawCheck<TBody>(({ dataset, addIssue }) => {
    // What is malformed is in it as it was sent; where there is no object at all, there are no fields to look at.
    const input = dataset.value as
      Readonly<Partial<Record<keyof TBody, unknown>>> | null | undefined;
    if (typeof input !== 'object' || input === null) return;
    if (holds(input)) return;
    addIssue({
      message,
      path: [{ type: 'object', origin: 'value', input: { ...input }, key: at, value: input[at] }],
    });
  });
