// Needs: chromium
/** A donation's page in the hands of a donor: it follows by itself, says what changed, and is whole without script. */
import { openDatabase } from '#src/db/database.ts';
import { recordLook } from '#src/donations/watched.ts';
import { donatePath } from '#src/paths.ts';
import { describe, expect, it } from 'vitest';
import { planDemo } from '../../support/demo-site.ts';
import { demoDonationId } from '../../../scripts/sample/demo-donations.ts';
import { close, useDemoSite } from '../../support/browser/visit.ts';
import type { Look } from '../../support/browser/visit.ts';

const { open, site } = useDemoSite();
const PHONE: Look = { width: 390, colorScheme: 'light', script: true };

function change(id: string, facts: string): void {
  const db = openDatabase(site().databasePath, 'write');
  db.statement(`UPDATE donations SET ${facts}, revision = revision + 1 WHERE id = ?`).run(id);
  db.close();
}

describe('the page of a donation', () => {
  it('shows and says each change without being loaded again', async () => {
    const id = demoDonationId('confirming');
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto(donatePath(id));
    await page.evaluate(() => {
      (window as unknown as { stays: boolean }).stays = true;
    });
    await page.getByRole('heading', { level: 1, name: 'Potwierdzanie: 2 z 6' }).waitFor();
    change(id, 'confirmations = 5');
    await page.getByRole('heading', { level: 1, name: 'Potwierdzanie: 5 z 6' }).waitFor();
    await page.locator('#status', { hasText: 'Potwierdzanie: 5 z 6' }).waitFor({ state: 'attached' });
    change(id, "confirmations = 6, status = 'confirmed'");
    await page.getByRole('heading', { level: 1, name: 'Wpłata potwierdzona' }).waitFor();
    expect(await page.title()).toMatch(/^Wpłata potwierdzona/);
    expect(await page.getByRole('link', { name: 'Odśwież' }).count()).toBe(1);
    change(id, "status = 'forwarded', role_status = 'done'");
    await page.getByRole('heading', { level: 1, name: 'Gotowe, dziękujemy' }).waitFor();
    expect(await page.getByRole('link', { name: 'Odśwież' }).count()).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { stays?: boolean }).stays)).toBe(true);
    await close(visitor);
  });

  it('asks by itself where the stream is refused', async () => {
    const id = demoDonationId('seen');
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.clock.install();
    await page.route('**/events', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(donatePath(id));
    await page.getByRole('heading', { level: 1, name: 'Widzimy wpłatę w sieci' }).waitFor();
    change(id, "confirmations = 1, status = 'confirming'");
    await page.clock.runFor(15_000);
    await page.getByRole('heading', { level: 1, name: 'Potwierdzanie: 1 z 6' }).waitFor();
    await close(visitor);
  });

  it('is whole without script', async () => {
    const visitor = await open({ ...PHONE, script: false });
    const { page } = visitor;
    await page.goto(donatePath(demoDonationId('pending')));
    expect(await page.getByRole('link', { name: 'Otwórz w portfelu' }).getAttribute('href')).toMatch(
      /^litecoin:rltc1q\w+\?amount=0\.125$/,
    );
    expect(await page.getByRole('img', { name: /^Kod QR/ }).isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Odśwież' }).click();
    await page.getByRole('heading', { level: 1, name: 'Czekamy na wpłatę' }).waitFor();
    await close(visitor);
  });
});

describe('the page of a donation that nobody looks after', () => {
  const { open, site } = useDemoSite(planDemo(30 * 60_000));

  it('says so without being loaded again, and takes it back when somebody looks', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto(donatePath(demoDonationId('pending')));
    const notice = page.locator('.answer .notice', { hasText: 'nie mamy świeżych danych z sieci Litecoin' });
    const promise = page.getByText('Możesz zamknąć tę stronę: wpłatę i tak zauważymy.');
    await notice.waitFor();
    expect(await promise.count()).toBe(0);
    const db = openDatabase(site().databasePath, 'write');
    // Again and again: the site itself keeps saying that the last look was long ago.
    const looking = setInterval(() => db.write(() => recordLook(db, Date.now())), 100);
    await promise.waitFor();
    expect(await notice.count()).toBe(0);
    clearInterval(looking);
    db.close();
    await notice.waitFor();
    await page
      .locator('#status', { hasText: 'nie mamy świeżych danych z sieci Litecoin' })
      .waitFor({ state: 'attached' });
    await close(visitor);
  });
});
