/**
 * Feeds Czujka from a chat server: a form with pictures, a message with buttons for the moderators, one line of `czujka
 * batch`. It stores nothing. A report is its message, whose number makes the report number: two presses add one entry.
 */
import { createHash } from 'node:crypto';
import { Client, Events, GatewayIntentBits, MessageFlags } from 'discord.js';
import { openBatch } from './batch.js';

const {
  DISCORD_TOKEN,
  MODERATORS_CHANNEL,
  MODERATORS_ROLE,
  CZUJKA_BATCH = 'sudo czujka batch',
} = process.env;
const run = openBatch(CZUJKA_BATCH);
/** A line of batch takes pictures up to this size. */
const PICTURES_MAX_BYTES = 48_000_000;
const FORM = 'Zgłoś do Czujki';
const BUTTONS = {
  'risk public': 'Niepotwierdzone, dowody publiczne',
  'risk private': 'Niepotwierdzone, dowody niepubliczne',
  'verified public': 'Potwierdzone, dowody publiczne',
  discard: 'Odrzuć',
};
/** Who sees the proofs of an entry decides for all of them, so the button says it. */
const addButtons = (visibility, number) => ({
  [`add ${visibility} ${number}`]:
    visibility === 'public' ? 'Dołóż obrazki, będą publiczne' : 'Dołóż obrazki, nie będą publiczne',
  discard: 'Odrzuć',
});

const rows = (buttons) => {
  const components = Object.entries(buttons).map(([id, label]) => ({
    type: 2,
    style: 2,
    custom_id: id,
    label,
  }));
  return [{ type: 1, components }];
};
/** A message that mentions no one. */
const shown = (content, components = [], more = {}) => ({
  content: content.slice(0, 1_900),
  components,
  allowedMentions: { parse: [] },
  ...more,
});
const tell = (interaction, content) => interaction.reply({ content, flags: MessageFlags.Ephemeral });

function form(author) {
  const field = (label, id, more) => {
    return { type: 18, label, component: { type: 4, style: 1, custom_id: id, required: true, ...more } };
  };
  const pictures = { type: 19, custom_id: 'pictures', required: false, max_values: 10 };
  return {
    custom_id: 'report',
    title: FORM,
    components: [
      field('Nick', 'nick', { max_length: 100, value: author?.username }),
      field('ID konta (17–20 cyfr)', 'id', { min_length: 17, max_length: 20, value: author?.id }),
      field('Co się stało', 'reason', { style: 2, max_length: 3_500 }),
      { type: 18, label: 'Zrzuty ekranu', component: pictures },
    ],
  };
}

async function submit(interaction) {
  const [nick, id, reason] = ['nick', 'id', 'reason'].map((name) =>
    interaction.fields.getTextInputValue(name).trim(),
  );
  const pictures = [...(interaction.fields.getUploadedFiles('pictures')?.values() ?? [])];
  if (!/^\d{17,20}$/.test(id)) return tell(interaction, 'ID ma od 17 do 20 cyfr. Nic nie wysłano.');
  if (pictures.reduce((sum, { size }) => sum + size, 0) > PICTURES_MAX_BYTES)
    return tell(interaction, 'Obrazki mają razem ponad 48 MB. Nic nie wysłano.');
  await tell(interaction, 'Dziękujemy. Zgłoszenie przeczyta moderacja.');
  const fields = Object.entries({ ID: id, Zgłasza: interaction.user.id }).map(([name, value]) => ({
    name,
    value,
  }));
  const files = pictures.map(({ url, name }, at) => ({
    attachment: url,
    name: `${at + 1}.${name.split('.').pop()}`,
  }));
  const channel = await client.channels.fetch(MODERATORS_CHANNEL);
  await channel.send(
    shown('', rows(BUTTONS), { embeds: [{ title: nick, description: reason, fields }], files }),
  );
}

async function decide(interaction) {
  const { message, customId, member, user } = interaction;
  if (!member.roles.cache.has(MODERATORS_ROLE)) return tell(interaction, 'To może zrobić tylko moderacja.');
  await interaction.deferUpdate();
  const [{ title: nick, description: reason, fields }] = message.embeds;
  const [id, reporter] = ['ID', 'Zgłasza'].map((name) => fields.find((field) => field.name === name).value);
  const close = async (content, toReporter) => {
    await message.edit(shown(`${content} (${user.username})`, [], { attachments: [] }));
    // Not every reporter takes direct messages.
    await client.users.send(reporter, toReporter).catch(() => {});
  };
  const fail = (error, buttons) => message.edit(shown(`Nie dodano: ${error.message}`, rows(buttons)));
  if (customId === 'discard') return close('Odrzucono', `Zgłoszenie konta ${id} odrzucono.`);

  const files = await readPictures(message);
  const names = Object.keys(files);
  const showProofs = (number) => run(['proofs', 'show', '--list=scammers', '--', number]);
  const offer = (number, { result }) => {
    const visibility = result?.[0].proofs === 'public' ? 'public' : 'private';
    return message.edit(shown(`Jest już wpis ${number}.`, rows(addButtons(visibility, number))));
  };
  const [status, visibility, ...rest] = customId.split(' ');
  if (status === 'add') {
    const number = rest.join(' ');
    const buttons = addButtons(visibility, number);
    const stored = await showProofs(number);
    if (stored.error) return fail(stored.error, buttons);
    const [{ proofs, items }] = stored.result;
    // Another moderator made them public, or private.
    if ((proofs === 'public') !== (visibility === 'public')) return offer(number, stored);
    // A press that was cut off has added some; an original is named by its SHA-256.
    const there = items.map(({ original }) => original?.split('/').pop());
    const hash = (name) => createHash('sha256').update(Buffer.from(files[name], 'base64')).digest('hex');
    for (const name of names.filter((each) => !there.includes(hash(each)))) {
      const args = ['proofs', 'add', '--list=scammers', `--file=${name}`, `--${visibility}`, '--', number];
      const { error } = await run(args, { [name]: files[name] });
      if (error) return fail(error, buttons);
    }
    return close(`Dołożono obrazki do ${number}`, `Obrazki dołożono do wpisu ${number}.`);
  }

  const number = reportNumber(message.id);
  const args = [
    'entry',
    'add',
    id,
    '--list=scammers',
    `--${status}`,
    `--report-id=${number}`,
    `--proofs=${visibility}`,
  ];
  const texts = [`--name=${nick}`, `--reason=${reason}`, ...names.map((name) => `--proof=${name}`)];
  const { ok, error } = await run([...args, ...texts], files);
  // With our own number: pressed twice, or the answer was lost.
  if (ok || (error.code === 'exists' && error.reportId === number))
    return close(`Dodano ${number}`, `Zgłoszenie jest na liście: ${number}.`);
  if (error.code !== 'exists') return fail(error, BUTTONS);
  return offer(error.reportId, await showProofs(error.reportId));
}

function reportNumber(messageId) {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const bytes = createHash('sha256').update(messageId).digest().subarray(0, 10);
  return `R-${[...bytes].map((byte) => digits[byte % digits.length]).join('')}`;
}

async function readPictures(message) {
  const read = [...message.attachments.values()].map(async ({ name, url }) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return [name, Buffer.from(await answer.arrayBuffer()).toString('base64')];
  });
  return Object.fromEntries(await Promise.all(read));
}

async function answer(interaction) {
  if (interaction.isButton()) return decide(interaction);
  if (interaction.isModalSubmit()) return submit(interaction);
  const about = interaction.isMessageContextMenuCommand() ? interaction.targetMessage.author : undefined;
  return interaction.showModal(form(about));
}

const client = new Client({ intents: [GatewayIntentBits.Guilds] });
// After an error the buttons stay, and the moderator tries again.
client.on(Events.InteractionCreate, (interaction) => answer(interaction).catch(console.error));
client.once(Events.ClientReady, () =>
  client.application.commands.set([
    { type: 3, name: FORM },
    { type: 1, name: 'zglos', description: 'Zgłoś konto do Czujki' },
  ]),
);
await client.login(DISCORD_TOKEN);
