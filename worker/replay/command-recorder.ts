import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

/** Records each command that the present code issues in a replay, with its stack. */
export type CommandSinks = Sinks & {
  readonly commands: {
    readonly issued: (kind: CommandKind, name: string, stack: string) => void;
  };
};
export type CommandKind = 'Timer' | 'Activity' | 'Local activity';

const { commands } = proxySinks<CommandSinks>();

const record = (kind: CommandKind, name: string): void =>
  commands.issued(kind, name, new Error('the stack of a command').stack ?? '');

/** A workflow module of the replay's bundle, which names the source line of each command. */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      startTimer: (input, next) => {
        record('Timer', `${input.durationMs} ms`);
        return next(input);
      },
      scheduleActivity: (input, next) => {
        record('Activity', input.activityType);
        return next(input);
      },
      scheduleLocalActivity: (input, next) => {
        record('Local activity', input.activityType);
        return next(input);
      },
    },
  ],
});
