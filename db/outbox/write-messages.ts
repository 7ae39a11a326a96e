import type { Fragment } from 'postgres';
import type { RunMessage } from '../../domain/messages.ts';
import { currentTraceparent } from '../../process/tracing/trace-context.ts';
import type { Queryable } from '../core/client.ts';

/** Each field as a value or, for an object and where rows differ, as an SQL expression. */
type PayloadFields<TPayload> = TPayload extends unknown
  ? { readonly [Field in keyof TPayload]: Exclude<TPayload[Field], object> | Fragment }
  : never;

/** Writes one message. */
export async function writeMessage(
  sql: Queryable,
  { kind, subjectId, payload }: RunMessage,
  traceparent: string | null,
): Promise<void> {
  const stored = traceparent === null ? payload : { ...payload, traceparent };
  await sql`select write_messages(${kind}, ${[subjectId]}::uuid[], array[${sql.json(stored)}])`;
}

/**
 * An SQL expression that writes one message for each row of `from` and returns their number. The
 * row's `id` is the subject. In a trace, the payload carries its `traceparent`. Put it where
 * Postgres evaluates it: a `select` in a CTE that nothing references does not run.
 */
export function writeMessages<TKind extends RunMessage['kind']>(
  sql: Queryable,
  kind: TKind,
  {
    from,
    payload,
    isLowPriority = false,
  }: {
    readonly from: Fragment;
    readonly payload: PayloadFields<Extract<RunMessage, { kind: TKind }>['payload']>;
    /** The relay hands over a few low-priority messages a second. Others overtake them. */
    readonly isLowPriority?: boolean;
  },
): Fragment {
  const traceparent = currentTraceparent();
  const json = Object.entries<string | number | boolean | null | Fragment>(
    traceparent === null ? payload : { ...payload, traceparent: sql`${traceparent}::text` },
  ).reduce<Fragment>(
    (before, [name, value]) => {
      const isExpression = typeof value === 'object' && value !== null;
      const field = isExpression
        ? sql`jsonb_build_object(${name}::text, ${value})`
        : sql.json({ [name]: value });
      return sql`${before} || ${field}`;
    },
    sql`'{}'::jsonb`,
  );
  return sql`(
    select write_messages(${kind}, array_agg(id), array_agg(${json}), ${isLowPriority}) from ${from}
  )`;
}
