/** What a resource's method is told of the URL: the query parameters, and the id behind the resource's name. */
export class RequestTarget extends URLSearchParams {
  readonly id: string | undefined;
  readonly pathname: string;

  constructor(pathname: string, id: string | undefined, query: string) {
    super(query);
    this.pathname = pathname;
    this.id = id;
  }
}
