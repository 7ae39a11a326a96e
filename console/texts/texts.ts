import type { Language } from '../html/formats.ts';
import { codeNames } from './codes.ts';
import { everyPage } from './common.ts';
import { offerPages } from './offers.ts';
import { partnerPages } from './partners.ts';
import { recordPages } from './records.ts';
import { textsAt, type Of } from './table.ts';

const table = { ...codeNames, ...everyPage, ...offerPages, ...partnerPages, ...recordPages };
export type Texts = Of<typeof table>;

const texts: Readonly<Record<Language, Texts>> = {
  en: textsAt(table, 0),
  ar: textsAt(table, 1),
};
export const textsOf = (language: Language): Texts => texts[language];
