/** These schemas read the answers of Litecoin Core. */
import { z } from 'zod';
import { confirmations, hash, height, isWithinSupply, ltc, place, time } from '../outbound/ranges.ts';
import { inputsSchema } from './record-transaction.ts';

/** `loaded` is false while a node that has started reads its mempool from the disk. */
export const poolSchema = z.object({ loaded: z.boolean() });

export const transactionSchema = z
  .object({
    txid: hash,
    /** Set for a mined transaction, which only a node with an index finds. */
    blockhash: hash.optional(),
    vin: inputsSchema,
    vout: z.array(
      z.object({
        n: place.optional(),
        value: ltc.optional(),
        scriptPubKey: z.object({ hex: z.string() }).optional(),
      }),
    ),
  })
  .transform(({ txid, blockhash, vin, vout }) => ({
    txId: txid,
    blockhash,
    inputs: vin,
    // Outputs inside MWEB have neither script nor value.
    outputs: vout.flatMap(({ n, value, scriptPubKey }) =>
      n === undefined || value === undefined || !scriptPubKey
        ? []
        : [{ vout: n, litoshi: value, script: scriptPubKey.hex }],
    ),
  }))
  .refine(({ outputs }) => isWithinSupply(outputs));

export const blockSchema = z.object({ hash, height, time, tx: z.array(transactionSchema) });

export const headerSchema = z.object({ confirmations, nextblockhash: hash.optional(), time });
