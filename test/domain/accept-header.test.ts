import { expect, test } from 'vitest';
import { preferredLanguage, preferredType } from '../../domain/accept-header.ts';

test.for([
  ['ar', 'ar'],
  ['ar-SA', 'ar'],
  ['AR-sa', 'ar'],
  ['en;q=0.3, ar;q=0.9', 'ar'],
  ['ar;q=0.9, en;q=0.3', 'ar'],
  ['en;q=0.3,ar-SA;q=0.8', 'ar'],
  ['fr, ar;q=0.5, en;q=0.4', 'ar'],
  ['en-GB, ar', 'en'],
  ['ar, en', 'ar'],
  ['ar;q=0, en;q=0.1', 'en'],
  ['ar-SA;q=0.2, ar-EG;q=0.9, en;q=0.5', 'ar'],
  ['en;q=0, *', 'ar'],
  ['*', 'en'],
  ['*;q=0.5', 'en'],
  ['ar;q=x, en;q=0.1', 'en'],
  ['arz', null],
  ['fr', null],
  ['ar;q=0', null],
  ['', null],
  [' , ;q=1', null],
] as const)('prefers by the Accept-Language %j the language %j', ([header, language]) => {
  expect(preferredLanguage(header, ['en', 'ar'])).toBe(language);
});

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.for([
  [browser, 'text/html'],
  ['application/json, text/plain, */*', 'application/json'],
  ['text/html;q=0.5, application/json', 'application/json'],
  ['application/json;q=0.5, text/html', 'text/html'],
  ['text/*, application/json;q=0.9', 'text/html'],
  ['*/*', 'application/json'],
  ['text/html;q=0, */*', 'application/json'],
  ['image/png', null],
] as const)('prefers by the Accept %j the media type %j', ([header, type]) => {
  expect(preferredType(header, ['application/json', 'text/html'])).toBe(type);
});
