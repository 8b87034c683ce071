import { donationResponseSchema, toDonationJson } from '#src/donations/donation-response.ts';
import { DONATION_ID, donationQuerySchema } from '#src/donations/donation-id.ts';
import { findDonation } from '#src/donations/find-donation.ts';
import { donatePath } from '#src/paths.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import examples from '../../_examples/donation.json' with { type: 'json' };

/** SPEC 4.4. Every way of not giving one valid ID gets the same sentence. */
export const GET = endpoint({
  operation: {
    id: 'readDonation',
    tag: 'rest',
    summary: 'Publiczny stan wpłaty w litecoinach.',
    description: 'To samo pokazuje strona `/donate/{id}`. Danych osoby wpłacającej nie ma w odpowiedzi.',
    query: donationQuerySchema,
    response: { description: 'Stan wpłaty.', schema: donationResponseSchema },
    examples,
    errors: ['donation_id_invalid', 'not_found'],
  },
  rateLimit: 'status',
  cacheControl: 'none',
  page: donatePath,
  parse: ({ query }) => {
    const [id = '', ...more] = [...query].flatMap(([name, value]) => (name === 'id' ? [value] : []));
    if (more.length > 0 || !DONATION_ID.test(id.trim())) throw new ApiError('donation_id_invalid');
    return { query: id.trim(), problems: [] };
  },
  handle: (id, { db }) => {
    const donation = findDonation(db, id);
    if (!donation) throw new ApiError('not_found');
    return { body: JSON.stringify({ donation: toDonationJson(donation, Date.now()) }) };
  },
});
