import { guideTest as test } from './guide-fixture.ts';
import { testPrograms } from './guide-programs.ts';

/** The programs of docs/first-day.md; guides.test.ts pastes its commands. */

// In a shell, the credential has a block of its own.
testPrograms(test, 'first-day', 1);
