import {
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
} from '@temporalio/client';
import type { RunMessage } from '../../domain/messages.ts';
import { ofQueues, queuesOf } from '../task-queues.ts';
import { recordChanged } from '../../workflows/record-changed.ts';
import {
  agreementSwitchId,
  bulkJobId,
  clockAdvanceId,
  offerReviewId,
  returnInspectionId,
  reviewJobId,
  webhookDeliveryId,
} from '../../workflows/ids.ts';
import {
  deliveryStateKey,
  recordVersionKey,
  returnStateKey,
  reviewStateKey,
} from '../../workflows/search-attributes.ts';

/** The workflow of a run; the kind of a message is its type. */
export type RunKind = RunMessage['kind'];

/** The kinds whose runs wait, and read the record when they get a signal. */
export type WaitingRunKind = 'offerReview' | 'returnInspection' | 'webhookDelivery';

/** An open run, and what it last showed of the record. */
export type OpenRun = {
  readonly subjectId: string;
  readonly startedAt: Date;
  /** The state of its row; `Starting` before the run has read the row. */
  readonly state: string | null;
  readonly recordVersion: number | null;
};

/** An open run as Temporal describes it. */
export type DescribedRun = OpenRun & {
  /**
   * Whether it has a task or an activity under way. A task that keeps failing does not count:
   * otherwise its run would always be busy.
   */
  readonly isBusy: boolean;
};

const idsOfKind: Readonly<Record<RunKind, (subjectId: string) => string>> = {
  offerReview: offerReviewId,
  returnInspection: returnInspectionId,
  webhookDelivery: webhookDeliveryId,
  agreementSwitch: agreementSwitchId,
  clockAdvance: clockAdvanceId,
  bulkJob: bulkJobId,
  reviewJob: reviewJobId,
};
const workflowIdOf = (kind: RunKind, subjectId: string): string => idsOfKind[kind](subjectId);
const stateKeys = {
  offerReview: reviewStateKey,
  returnInspection: returnStateKey,
  webhookDelivery: deliveryStateKey,
} as const;

const pageSize = 1000;
/** Ids in one visibility query. */
const idsMax = 100;
/** Concurrent requests that each concern one run. */
const concurrencyMax = 20;

/** The open runs of one gateway. */
export function createRuns(client: Client, { taskQueue }: { readonly taskQueue: string }) {
  const { workflow } = client;
  const openRuns = (kind: RunKind): string =>
    `${ofQueues(taskQueue)} and WorkflowType = '${kind}' and ExecutionStatus = 'Running'`;
  const describe = async (kind: RunKind, subjectId: string) => {
    try {
      const found = await workflow.getHandle(workflowIdOf(kind, subjectId)).describe();
      return found.status.name === 'RUNNING' && queuesOf(taskQueue).includes(found.taskQueue)
        ? found
        : null;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  };
  return {
    workflowId: workflowIdOf,
    /** All open runs of a kind, page by page. A run of the last second may be missing. */
    listOpen: async function* listOpen(kind: RunKind): AsyncIterable<readonly OpenRun[]> {
      let page: OpenRun[] = [];
      for await (const found of workflow.list({ query: openRuns(kind), pageSize })) {
        page.push(openRun(kind, found));
        if (page.length < pageSize) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
    /** Which of up to 1,000 subjects have an open run. */
    haveOpen: async (kind: RunKind, subjectIds: readonly string[]) => {
      const open = new Set<string>();
      for (let start = 0; start < subjectIds.length; start += idsMax) {
        const ids = subjectIds.slice(start, start + idsMax);
        const quoted = ids.map((id) => `'${workflowIdOf(kind, id)}'`);
        const query = `${openRuns(kind)} and WorkflowId in (${quoted.join()})`;
        // To count runs takes Temporal a fraction of the time that it takes to list them.
        const { count } = await workflow.count(query);
        if (count === ids.length) {
          for (const id of ids) open.add(id);
          continue;
        }
        for await (const found of workflow.list({ query, pageSize }))
          open.add(openRun(kind, found).subjectId);
      }
      // The list of visibility lags behind; a description of a run does not.
      const others = subjectIds.filter((id) => !open.has(id));
      const isOpen = await mapConcurrently(
        others,
        async (id) => (await describe(kind, id)) !== null,
      );
      return new Set([...open, ...others.filter((_, index) => isOpen[index])]);
    },
    /** Describes the open runs of subjects. Unlike the list, a description is up to date. */
    describeOpen: async (kind: RunKind, subjectIds: readonly string[]) => {
      const found = await mapConcurrently(subjectIds, (id) => describe(kind, id));
      return found.flatMap((run) =>
        run === null ? [] : [{ ...openRun(kind, run), isBusy: isBusy(run) }],
      );
    },
    /** Makes runs read the record. Skips those that have ended. */
    refresh: async (kind: WaitingRunKind, subjectIds: readonly string[]) => {
      await mapConcurrently(subjectIds, async (id) => {
        try {
          await workflow.getHandle(workflowIdOf(kind, id)).signal(recordChanged);
        } catch (error) {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
        }
      });
    },
  };
}
export type Runs = ReturnType<typeof createRuns>;

/** A task that has failed this often, over some seconds, is likely to fail again. */
const taskFailuresMax = 3;

const isBusy = ({
  raw: { pendingWorkflowTask, pendingActivities },
}: WorkflowExecutionDescription): boolean =>
  (pendingWorkflowTask != null && (pendingWorkflowTask.attempt ?? 1) <= taskFailuresMax) ||
  (pendingActivities ?? []).length > 0;

type FoundRun = Pick<WorkflowExecutionInfo, 'workflowId' | 'startTime' | 'typedSearchAttributes'>;

function openRun(kind: RunKind, found: FoundRun): OpenRun {
  const { workflowId, startTime: startedAt, typedSearchAttributes: attributes } = found;
  const stateKey = kind in stateKeys ? stateKeys[kind as WaitingRunKind] : null;
  return {
    subjectId: workflowId.slice(workflowId.indexOf('/') + 1),
    startedAt,
    state: stateKey === null ? null : (attributes.get(stateKey) ?? null),
    recordVersion: attributes.get(recordVersionKey) ?? null,
  };
}

async function mapConcurrently<T, R>(
  items: readonly T[],
  map: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += concurrencyMax)
    results.push(...(await Promise.all(items.slice(start, start + concurrencyMax).map(map))));
  return results;
}
