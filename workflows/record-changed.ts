import { defineSignal } from '@temporalio/workflow';

/** What a run is about has changed in the record, which the run reads again. */
export const recordChanged = defineSignal('changed');
