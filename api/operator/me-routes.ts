import * as v from 'valibot';
import { readOperatorSettings, storeOperatorSettings } from '../../db/accounts/operators.ts';
import { staffRoles } from '../../domain/accounts/operator-roles.ts';
import {
  isTimeZone,
  languages,
  type OperatorSettings,
} from '../../domain/accounts/operator-settings.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { text } from '../validation/fields.ts';
import { field, orNull, titled } from '../validation/response-parts.ts';
import { audit } from './audit.ts';

const example = { language: 'ar', timeZone: 'Asia/Riyadh', keys: true } as const;
const texts = {
  language: 'The language of the console; null: that of the browser.',
  timeZone: 'The IANA time zone of the console, such as `Asia/Riyadh`; null: that of the browser.',
  keys: 'Whether the console has keys, such as `a` to approve.',
};

/** What an operator has chosen for itself. */
export const settingsResponse = titled('OperatorSettings', {
  language: orNull(v.picklist(languages), texts.language, example.language),
  timeZone: field.textOrNull(texts.timeZone, example.timeZone),
  keys: field.flag(texts.keys, example.keys),
});

const timeZone = v.pipe(
  text(64),
  v.check(isTimeZone, 'invalid_time_zone: must be a time zone of IANA, such as Asia/Riyadh'),
);
/** A field of a change, which may be omitted. */
const kept = <const TSchema extends v.GenericSchema>(schema: TSchema, name: keyof typeof texts) =>
  described(v.optional(schema), `${texts[name]} Omit it to keep it.`, example[name]);

/** The body of a change: every field may be omitted. */
export const settingsBody = v.strictObject({
  language: kept(v.nullable(v.picklist(languages)), 'language'),
  timeZone: kept(v.nullable(timeZone), 'timeZone'),
  keys: kept(v.boolean(), 'keys'),
});

/** What operators of every role choose for themselves in the console. */
export const operatorMeRoutes: AddRoutes = (app, { sql }) => {
  const route = operatorRoutes(app, { role: staffRoles, tag: 'Operator: operators' });
  route({
    at: 'GET /operator/v1/me',
    operationId: 'getOwnSettings',
    summary: 'Read your settings',
    description: 'Reads what you have chosen for the console. It needs no particular role.',
    payload: settingsResponse,
    handler: ({ caller }) => readOperatorSettings(sql, caller.id),
  });
  route({
    at: 'PATCH /operator/v1/me',
    operationId: 'updateOwnSettings',
    summary: 'Change your settings',
    description:
      'Changes your language, your time zone or whether the console has keys. It needs no ' +
      'particular role, and changes no other operator.',
    body: settingsBody,
    payload: settingsResponse,
    handler: ({ caller: { id }, body, request }) =>
      sql.begin(async (transaction) => {
        const before = await readOperatorSettings(transaction, id, { isLocked: true });
        const given = Object.entries(body).filter(([, value]) => value !== undefined);
        const after: OperatorSettings = { ...before, ...Object.fromEntries(given) };
        if (JSON.stringify(after) === JSON.stringify(before)) return before;
        await storeOperatorSettings(transaction, id, after);
        await audit(transaction, request, 'operator.settings', id, { before, after });
        return after;
      }),
  });
};
