import type { IdAnswer, ReportOfTrusted } from '../check/answer.ts';
import type { PublicSummary, ListKind } from '#src/entries/entry.ts';
import type { LinkCard } from '../layout/link-card-texts.ts';
import type { ListQuery } from '#src/entries/list-query.ts';

export interface ListPage {
  readonly list: ListKind;
  readonly query: ListQuery;
  /** Names the parts of the address that could not be used. */
  readonly notice: string | undefined;
  readonly entries: readonly PublicSummary[];
  readonly reportOfTrusted: ReportOfTrusted;
  readonly total: number;
  readonly skipMax: number;
  /** Set when the service is overloaded and shows no entries: when it is worth asking again. */
  readonly retrySeconds: number | undefined;
}

interface Head {
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly card: LinkCard | undefined;
  readonly noindex: boolean;
  readonly feed: { readonly title: string; readonly path: string };
  readonly alternates: readonly { readonly href: string; readonly type: string }[];
}

export interface EntryPage {
  readonly head: Head;
  readonly list: ListKind;
  readonly answer: IdAnswer;
}

export interface ListView extends ListPage {
  readonly head: Head;
  /** Set when the address asks for one ID and the list has it. */
  readonly one: EntryPage | undefined;
}
