/** More work waits than the service takes on, or than one client may have waiting. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
  /** When it is worth asking again, 1 to 60. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('too much work is waiting');
    this.seconds = seconds;
  }
}
