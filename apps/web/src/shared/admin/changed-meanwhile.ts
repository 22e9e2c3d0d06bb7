/** Another administrator has changed a value since it was shown, to `latest`; nothing was sent. */
export class ChangedMeanwhileError<Value> extends Error {
  readonly latest: Value;

  constructor(latest: Value) {
    super();
    this.latest = latest;
  }
}
