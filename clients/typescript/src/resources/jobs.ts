import { decodeUtf8, requireWhole } from '../core/encoding.ts';
import { payloadOf, type Http } from '../core/http.ts';
import { followJob } from '../core/job-progress.ts';
import {
  at,
  flag,
  keyed,
  previewed,
  type BodyOf,
  type CallOptions,
  type CreateOptions,
  type FiltersOf,
  type ItemOf,
  type Preview,
} from '../core/operation-types.ts';
import { createPages, inPage } from '../core/pages.ts';

const list = '/api/v1/scent/jobs';
const one = '/api/v1/scent/jobs/{id}';
const results = '/api/v1/scent/jobs/{id}/results';

const csvType = 'text/csv';

/** A bulk job: its state, its counts and its times. */
export type Job = ItemOf<typeof list>;
/** What became of an item. */
export type JobItemResult = ItemOf<typeof results>;
export type JobKind = NonNullable<JobFilters['kind']>;
export type JobFilters = FiltersOf<typeof list>;

/** Text, or its bytes in UTF-8: as they are, as a `Blob` such as a `File`, or as a stream. */
export type FileContent = string | Uint8Array | Blob | ReadableStream<Uint8Array>;
/** Items as JSON, or as a file of CSV. */
export type NewJob =
  BodyOf<typeof list, 'post'> | { readonly kind: JobKind; readonly csv: FileContent };

type Only = {
  /** Only items that failed, or only the others. */
  readonly failed?: boolean;
};
export type WaitOptions = CallOptions & {
  /** Gets each step of the job, the end included. */
  readonly onProgress?: (job: Job) => void;
};

/** The text of a file. Throws an `EncodingError` before anything is sent if it has none. */
async function textOf(content: FileContent): Promise<string> {
  if (typeof content === 'string') {
    requireWhole(content);
    return content;
  }
  if (content instanceof Uint8Array) return decodeUtf8(content);
  return decodeUtf8(new Uint8Array(await new Response(content).arrayBuffer()));
}

/** The bulk jobs of the vendor. */
export function jobsOf(http: Http) {
  const get = (id: string, options?: CallOptions): Promise<Job> =>
    payloadOf(http.GET(one, { ...at(id), ...options }));
  const progress = (id: string, options: CallOptions = {}): AsyncIterable<Job> => ({
    [Symbol.asyncIterator]: () => followJob(() => get(id, options), options.signal),
  });
  return {
    /** Starts a job. A stream is read to its end first, because the call may be repeated. */
    create: async (job: NewJob, options: CreateOptions & Preview = {}): Promise<Job> => {
      const { validateOnly, ...given } = options;
      const query = flag('validateOnly', validateOnly);
      if (!('csv' in job))
        return payloadOf(http.POST(list, { ...keyed(given, { query }), body: job }));
      const text = await textOf(job.csv);
      return payloadOf(
        http.POST(list, {
          ...keyed(given, { query: { ...query, kind: job.kind } }),
          headers: { 'content-type': csvType },
          body: text as never,
          bodySerializer: () => text,
        }),
      );
    },
    /** The newest first. */
    list: (filters: JobFilters = {}, options?: CallOptions) =>
      createPages<Job>((page) => http.GET(list, { params: inPage(filters, page), ...options })),
    get,
    /** The results of the items that have run, in the order of the items. */
    results: (id: string, { failed }: Only = {}, options?: CallOptions) =>
      createPages<JobItemResult>((page) => {
        const params = { path: { id }, ...inPage(flag('failed', failed), page) };
        return http.GET(results, { params, ...options });
      }),
    /** The results as the text of one file of CSV, by one call. */
    resultsFile: async (
      id: string,
      { failed }: Only = {},
      options?: CallOptions,
    ): Promise<string> => {
      const { data } = await http.GET(results, {
        params: { path: { id }, query: flag('failed', failed) },
        headers: { accept: csvType },
        parseAs: 'text',
        ...options,
      });
      return data ?? '';
    },
    /** No further item runs; what has run stays. */
    cancel: (id: string, options?: CallOptions): Promise<Job> =>
      payloadOf(http.POST('/api/v1/scent/jobs/{id}/cancel', { ...at(id), ...options })),
    /** Starts a job that restores what an ended job changed, unless it has changed since. */
    revert: (id: string, options?: CallOptions & Preview): Promise<Job> =>
      payloadOf(http.POST('/api/v1/scent/jobs/{id}/revert', previewed({ id }, options))),
    /** Each step of a job until it has ended, by reads half a second to five seconds apart. */
    progress,
    /** The job when it has ended. */
    wait: async (id: string, { onProgress, ...options }: WaitOptions = {}): Promise<Job> => {
      let last: Job | null = null;
      for await (const job of progress(id, options)) onProgress?.((last = job));
      return last ?? get(id, options);
    },
  };
}
