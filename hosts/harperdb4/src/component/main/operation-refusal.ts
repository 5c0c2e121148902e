/** An operation that is not run: HarperDB answers `statusCode` with `http_resp_msg` as the body. */
export class OperationRefusal extends Error {
  override readonly name = 'OperationRefusal';
  readonly statusCode: number;
  readonly http_resp_msg: { readonly error: string };

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.http_resp_msg = { error: message };
  }
}
