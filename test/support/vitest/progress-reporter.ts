import { MinimalReporter, type TestModule } from 'vitest/node';

/** Prints failures in full, and a line of progress for every 25 files. */
export default class ProgressReporter extends MinimalReporter {
  #ended = 0;
  #failed = 0;

  override onTestModuleEnd(testModule: TestModule): void {
    super.onTestModuleEnd(testModule);
    this.#ended += 1;
    if (testModule.state() === 'failed') this.#failed += 1;
    const seconds = Math.round(performance.now() / 1000);
    if (this.#ended % 25 === 0)
      this.log(`${this.#ended} files ended, ${this.#failed} failed, after ${seconds} s`);
  }
}
