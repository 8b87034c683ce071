/** One state of a filter or an order. */
export interface Choice {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
}
