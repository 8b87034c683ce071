export {};

declare module '../db/tables.ts' {
  interface Tables {
    list_indexes: {
      ord: number;
      piece: number;
      version: number;
      elements: Uint8Array;
      names: Uint8Array | null;
    };
    look_alike_hashes: {
      hash: number;
      is_reported: number;
      detail: number | string;
      row: number;
    };
  }
}
