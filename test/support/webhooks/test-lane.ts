import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import {
  createDeliveryPipeline,
  type DeliveryPipeline,
} from '../../../deliveries/delivery-pipeline.ts';
import type { Sql } from '../../../db/core/client.ts';
import type { RunMessage } from '../../../domain/messages.ts';
import type { SendRequest, SendResult } from '../../../guardrail/send/send.ts';
import {
  createDeliveryLane,
  type DeliveryLaneDependencies,
} from '../../../deliveries/delivery-lane.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newSecretsKey } from '../seeds/sealed-secrets.ts';

/** What a receiver answers to the request. */
export type AnswerTo = (request: SendRequest) => SendResult | Promise<SendResult>;

const noWish = { errorSummary: null, retryAfter: null };
export const answered: SendResult = { ...noWish, succeeded: true, httpStatus: 200 };
export const refused: SendResult = {
  ...noWish,
  succeeded: false,
  httpStatus: 500,
  errorSummary: 'http_status 500',
};

type PipelineOptions = {
  /** Default: 200 to all. */
  readonly answerTo?: AnswerTo;
  readonly hostConcurrencyMax?: number;
  /** Results are stored once this resolves. Default: at once. */
  readonly mayRecord?: Promise<void>;
  /** As of the sender. Default: sends begin at once. */
  readonly untilBegun?: () => Promise<void>;
};

/** A pipeline whose requests reach `answerTo` instead of a network; `sent` has their event ids. */
export function createFakePipeline(
  sql: Sql,
  {
    answerTo = () => answered,
    hostConcurrencyMax = 50,
    mayRecord = Promise.resolve(),
    untilBegun = () => Promise.resolve(),
  }: PipelineOptions = {},
) {
  const sent: string[] = [];
  const pipeline = createDeliveryPipeline({
    sql,
    sender: {
      send: async (request) => {
        sent.push(request.headers['webhook-id'] ?? '');
        return answerTo(request);
      },
      untilBegun,
      close: () => Promise.resolve(),
    },
    sealer: { ...createSealer(newSecretsKey()), open: () => 'whsec_AAAA' },
    userAgent: 'test',
    hostConcurrencyMax,
    subscriptionConcurrencyMax: hostConcurrencyMax,
    failureLimit: { failingMs: 1e12, deadLetters: 1e6 },
    keepsResponses: true,
  });
  const record: DeliveryPipeline['record'] = (result) =>
    mayRecord.then(() => pipeline.record(result));
  return { pipeline: { ...pipeline, record }, sent };
}

type LaneOptions = PipelineOptions &
  Partial<
    Pick<
      DeliveryLaneDependencies,
      'leaseMs' | 'retryDelayMs' | 'runsPerSecond' | 'handleMessage' | 'onFree'
    >
  >;

/** The lane of a relay without a network; `shown` are the messages to runs that it hands over. */
export function createTestLane(sql: Sql, options: LaneOptions = {}) {
  const { pipeline, sent } = createFakePipeline(sql, options);
  const shown: RunMessage[] = [];
  const lane = createDeliveryLane({
    sql,
    log: pino({ level: 'silent' }),
    pipeline,
    retryDelayMs: 60_000,
    timeoutMs: 60_000,
    runsPerSecond: 0,
    handleMessage: (message) => {
      shown.push(message);
      return Promise.resolve();
    },
    ...options,
  });
  return { lane, pipeline, sent, shown };
}

/** Repeats the rounds and the looks of a lane, as its relay does, until the condition holds. */
export async function runUntil(
  lane: ReturnType<typeof createDeliveryLane>,
  isOver: () => Promise<boolean>,
): Promise<void> {
  while (!(await isOver())) {
    await lane.look();
    const { ms } = await lane.round();
    await delay(Math.min(ms, 20));
  }
}
