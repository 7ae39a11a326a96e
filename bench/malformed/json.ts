import { typesOf, type Shape } from './routes.ts';
import type { Random } from './random.ts';

/**
 * JSON as text in parts, so that it can hold what `JSON.stringify` never writes: a name twice, `1e400`, half a surrogate.
 * Objects know their shape, and with it what may be in them.
 */
export type Json = string | JsonList | JsonObject;
export type JsonList = { readonly items: Json[]; readonly shape: Shape };
export type JsonObject = { readonly entries: [name: string, value: Json][]; readonly shape: Shape };

export function textOf(json: Json): string {
  if (typeof json === 'string') return json;
  if ('items' in json) return `[${json.items.map(textOf).join(',')}]`;
  return `{${json.entries.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(',')}}`;
}

/** Every object in it, itself first. */
export function objectsIn(json: Json): readonly JsonObject[] {
  if (typeof json === 'string') return [];
  if ('items' in json) return json.items.flatMap(objectsIn);
  return [json, ...json.entries.flatMap(([, value]) => objectsIn(value))];
}

/** Values of fields that a shape does not say everything of. */
const known: Readonly<Record<string, (random: Random) => unknown>> = {
  clientId: (random) => `vc_${random.bytes(8).toString('hex')}`,
  url: () => 'https://vendor.example.org/photo.jpg',
  capabilities: () => 'Offers, Stock',
  pricingModel: () => 'CostPlusMargin',
  carrier: () => 'CarrierA',
  orderGlobalId: () => 'ord_00000000-0000-4000-8000-000000000000',
};

/** Fields that some rule wants beside the required ones. */
const wanted = new Set([
  'rawBrandName',
  'rawProductName',
  'markupPercent',
  'vendorId',
  'eventTypes',
]);
/** Fields that no rule minds. */
const harmless = new Set([
  'vendorSku',
  'rawDescription',
  'rawConcentration',
  'rawSizeMl',
  'reason',
  'line2',
]);
/** Where one field excludes another by a rule, it is left out. */
const isWanted = (name: string, { properties = {} }: Shape): boolean =>
  wanted.has(name) && !(name === 'vendorId' && 'destination' in properties);

function sampleText({ format, maxLength = 20 }: Shape, random: Random): string {
  if (format === 'uuid') return `01890000-0000-7000-8000-${random.bytes(6).toString('hex')}`;
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  return random.pick(['Oud', 'عود', '🜁 élan', 'x'.repeat(40)]).slice(0, maxLength);
}

/** A value that its route would take. */
export function sample(given: Shape, random: Random, name = ''): Json {
  const value = known[name]?.(random) ?? given.enum?.find((option) => option !== null);
  if (value !== undefined) return JSON.stringify(value);
  const types = typesOf(given);
  if (types.includes('object')) {
    const { properties = {}, required = [] } = given;
    const chosen = Object.entries(properties).filter(
      ([field]) =>
        required.includes(field) ||
        isWanted(field, given) ||
        (harmless.has(field) && random.chance(0.5)),
    );
    return {
      entries: chosen.map(([field, its]) => [field, sample(its, random, field)]),
      shape: given,
    };
  }
  if (types.includes('array')) return { items: [sample(given.items ?? {}, random)], shape: given };
  if (types.includes('boolean')) return 'true';
  if (types.includes('number') || types.includes('integer')) {
    return String(1 + random.below(Math.min(given.maximum ?? 100, 100)));
  }
  return JSON.stringify(sampleText(given, random));
}
