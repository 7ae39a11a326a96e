import type { Texts } from '../texts/texts.ts';
import * as ui from '../html/ui.ts';

type FieldName = keyof Texts['decision']['fields'];
/** What a decision judges, as texts by the names of their labels. */
export type Facts = Readonly<Partial<Record<FieldName, string | null>>>;

export const namesOf = (facts: Facts): readonly FieldName[] => Object.keys(facts) as FieldName[];

/** The facts that a form of a decision was made with, from its field `seen`. */
export function parsedFacts(text: string): Facts {
  try {
    const facts = Object.entries<unknown>(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(facts.filter(([, fact]) => typeof fact === 'string'));
  } catch {
    return {};
  }
}

/** The facts of such a field with their labels. */
export function labelledFacts({ decision }: Texts, seen: string): readonly ui.Fact[] {
  const facts = parsedFacts(seen);
  return namesOf(facts)
    .filter((name) => name in decision.fields)
    .map((name) => [decision.fields[name], ui.own(facts[name] ?? '')]);
}
