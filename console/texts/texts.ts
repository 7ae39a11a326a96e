import type { Language } from '../html/formats.ts';
import { arabic } from './arabic.ts';
import { english, type Texts } from './english.ts';

export type { Texts };

export const textsOf = (language: Language): Texts => (language === 'ar' ? arabic : english);
