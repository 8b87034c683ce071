/** A Litecoin network of the demo's own, on which somebody pays a donation and the operator forwards it. */
export interface DemoChain {
  /** For web and worker. */
  readonly settings: Readonly<Record<string, string>>;
  /** An address of the operator's that nobody has been given. */
  newAddress(): Promise<string>;
  /** Waits for a block then. @param ltc whole and parts */
  pay(address: string, ltc: number): Promise<void>;
  /** What was paid goes on to another address of the operator's; waits for a block then. */
  forward(): Promise<void>;
  /** One block with all that waits. */
  mine(): Promise<void>;
  end(): Promise<void>;
}
