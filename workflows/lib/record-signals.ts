import * as workflow from '@temporalio/workflow';

/**
 * Handles the signals after which a run reads the record again; `descriptions` has them by name.
 * `isNeeded` is true after a signal, until the run sets it to false.
 */
export function handleRecordSignals(descriptions: Readonly<Record<string, string>>) {
  const refresh = { isNeeded: false };
  for (const [signal, description] of Object.entries(descriptions))
    workflow.setHandler(
      workflow.defineSignal(signal),
      () => {
        refresh.isNeeded = true;
      },
      { description },
    );
  return refresh;
}
