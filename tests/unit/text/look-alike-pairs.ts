/** Pairs of nicks, made by hand to measure how well look-alikes are found. */
import { Random } from '../../../scripts/sample/random.ts';

/** Spoofs and the names that they are taken for: a line or more for each of their means, the last two for several at once. */
export const SPOOFS = `
    Iis_posrednik = Lis_Posrednik, Lis_Posrednlk = Lis_Posrednik, kupsk1n_24 = kupskin_24,
    O|iwka = Oliwka, W!lk = Wilk, KamiI = Kamil, Pawe1 = Paweł, MlCHAL = MICHAL, 1gor = Igor,
    zie|ony = zielony,
    p0srednik = posrednik, G0LD_SH0P = GOLD_SHOP, h4ndel = handel, @dmin = admin, Mar3k = Marek,
    5zef = szef, $klep = sklep, kon7o = konto, 8artek = Bartek, T0m3k = Tomek, k@rolin@ = karolina,
    4dm1n_p0m0c = admin_pomoc,
    rnarek = Marek, Tornek = Tomek, pornoc = pomoc, vvojtek = Wojtek, Kovvalski = Kowalski,
    clominik = Dominik, hanclel = handel, aclrnin = admin, rnocl = mod, VVIKTOR = Wiktor,
    аdmin_pоmoc = admin_pomoc, Маrek = Marek, оliwka = oliwka, Тоmek = Tomek, Каmil = Kamil,
    роsrednik = posrednik, hаndеl = handel, хXsniperXх = xXsniperXx, Ѕzef = Szef, іgor = igor,
    ВОСО = BOCO, серсер = cepcep,
    Μarek = Marek, αdmin = admin, pοmoc = pomoc, Τomek = Tomek, Ζenek = Zenek, Νina = Nina,
    Ｍａｒｅｋ = Marek, 𝐌𝐚𝐫𝐞𝐤 = Marek, 𝓴𝓪𝓶𝓲𝓵 = kamil, 𝔥𝔞𝔫𝔡𝔢𝔩 = handel, ⓐⓓⓜⓘⓝ = admin, 🅐🅓🅜🅘🅝 = admin,
    🆂🅺🅻🅴🅿 = sklep, 🇲🇦🇷🇪🇰 = Marek, ᵖᵒᵐᵒᶜ = pomoc, ﬁlip = filip, m①s③ = m1s3, ℙ𝕠𝕤𝕣𝕖𝕕𝕟𝕚𝕜 = Posrednik,
    ᴍᴀʀᴇᴋ = Marek, ᴀᴅᴍɪɴ = admin, ᴘᴏᴍᴏᴄ = pomoc, ꜱᴋʟᴇᴘ = sklep, ᴡᴏᴊᴛᴇᴋ = Wojtek, ᴋᴜʙᴀ = kuba,
    Mar\u200bek = Marek, \u2060admin = admin, Lis\u00adek = Lisek, To\u034fmek = Tomek,
    Kuba\u3164 = Kuba, ha\u202endel = handel,
    kupskin 24 = kupskin_24, Lis.Posrednik = Lis_Posrednik, L_i_s_e_k = Lisek, ~Marek~ = Marek,
    M\u0336a\u0336rek = Marek, ★ sklep ★ = sklep, Märek = Marek, śklep = sklep,
    Lis_Posredniik = Lis_Posrednik, Lis_Posrednk = Lis_Posrednik, posredmik = posrednik,
    kupsskin_24 = kupskin_24, zaufany_handlrz = zaufany_handlarz, Gielda_Skinow_ = Gielda_Skinov,
    administratorr = administrator, mod3rator_pl = moderatorpl, wymianaskinow = wymiana_skino,
    Ｌ1s_Ρ0srednik = Lis_Posrednik, аclmіn_p0rnoc = admin_pomoc, ᴋupsk!n 24 = kupskin_24,
    Mаr\u200b3k = Marek, VV0JTeK = Wojtek, ⓢklер = sklep, 8аrt3k = Bartek, 𝐊amiⅼ = Kamil,
    p०moc = pomoc`
  .split(',')
  .map((pair) => pair.trim().split(' = ') as [string, string]);

export const POLISH = `
kasia kamil|ola ula|marek darek|tomek romek|janek franek|zosia gosia|michał michalina|wojtek bartek|ania hania|kuba bubu
paweł gaweł|piotrek pietruszka|adam ada|ewa iwa|łukasz lucjan|maciek jacek|grzesiek krzysiek|natalka nadia|basia kasia|zuzia zuza
mały_pies mały_miś|czarny_kot czarna_kotka|dziki_wilk dziki_lis|szary_wilk stary_wilk|leśny_duch leśny_dziad|zimny_lech zimna_zośka
królowa_śniegu król_śniegu|pan_kanapka pan_kotek|cichy_wicher cicha_woda|złoty_róg złota_rybka|nocny_marek nocna_mara
rycerz_jan rycerz_janek_z|smok_wawelski smok_waldek|żółw_ninja żuraw_ninja|ptasie_mleczko psie_mleczko|kopytko kopyto_pl
pierogarnia pieczarkarnia|kebab_u_zenka kebab_u_janka|sernik_babci sernik_cioci|oscypek oscylator|pączek pęczek
barszcz bigosik|żurek ogórek|truskawka poziomka|malina kalina|jagoda jagna|śliwka oliwka|marchewa marszałek|burak rabarbar
kowal_z_targu handlarz_z_targu|rybak_znad_wisły rolnik_znad_wisły|górnik hutnik|kierowca_tira kierownik_tira|leśniczy leśnik
gajowy_marucha gajowy_maciej|sołtys_kierdziołek sołtys_wąchocka|babcia_halina babcia_grażyna|dziadek_zdzisiek dziadek_mietek
ciocia_krysia ciocia_bożena|wujek_staszek wujek_ryszard|teściowa teściu|szwagier szwagierka|kuzyn_z_radomia kumpel_z_radomia
warszawiak krakowiak|poznaniak wrocławiak|ślązak mazurek|kaszub kujawiak|góral góralka|mazowszanin małopolanin|łodzianin lublinianin
gdynia_team gdansk_team|radom_city radom_crew|pomorze podhale|wisła odra|bałtyk tatry|giewont rysy|zakopane zawoja|sopot ustka
sowa_w_lesie zając_w_lesie|borsuk bocian|jeż jeżyk_x|wiewiór wieloryb|niedźwiedź niedoperz|kret krecik|lis lisica|wilczur wilczyca
orzeł orlik|sokół sokolik_m|gołąb gołębica|wróbel wrona|kruk gawron|dzięcioł dzikołak|bóbr bobas|ryś ryśka|żbik żubr
słoneczko słonecznik|gwiazdka gwizdek|księżyc księgowy|chmurka chmielowy|deszczyk dreszczyk_o|burza bursztyn|wiatr wiosna|mróz mroźna_zima
marcin_gra marlena_gra|aga_rysuje ada_rysuje|bartek_szyje bartosz_szuka|kinga_piecze inga_piecze|olek_maluje alek_maluje
śpioszek śpiewak|mruczek burczek|łatek latawiec|reks rex_pies|azor azalia|filemon bonifacy|kleks kłos|puszek puchatek`;

export const GAMERS = `
Kacper2007 Kacper2008|kuba2010 kuba2011|mati123 mati124|seba99 seba98|oskar07 oskar08|pro_gamer1 pro_gamer2|sniper2000 sniper2001
dawid_2005 dawid_2006|filip2009pl filip2008pl|xXwilkXx12 xXwilkXx21|smok777 smok776|karol1999 karol1998|nova_500 nova_600
szymon2012 szymon2013|igor_77 igor_78|adrian0101 adrian0102|bartek_15 bartek_16|maks2014 maks2015|olek2003 olek2004|wiktor11 wiktor12
natan_2010 natan_2020|tymon44 tymon45|alan_321 alan_322|borys90 borys91|julek_06 julek_05|leon2016 leon2017|ksawery5 ksawery6
gracz_0001 gracz_0002|gracz1234 gracz1243|player_one1 player_one2|user83920 user83921|anon5521 anon5522|guest_7781 guest_7782
shadow_hunter22 shadow_hunter23|dark_knight9 dark_knight8|fire_dragon2007 ice_dragon2007|iceman_2002 iceman_2003|ghost_rider13 ghost_rider31
frost_viper55 frost_viper66|raven_2009 raven_2010|pixel_pl_4 pixel_pl_5|turbo_kot19 turbo_kot20|mega_lag2000 mega_lag3000
noob_master68 noob_master69|headshot360 headshot180|aimbot2077 aimbot2078|clutch_2v1 clutch_3v1|flick1337 flick1338|rush_b_2020 rush_b_2021
awp_king24 awp_king42|knife_only7 knife_only9|deagle_pl10 deagle_pl20|ak47_boss ak74_boss|m4a1_pro m4a4_pro|glock18pl glock17pl
skin_trader2 skin_trader3|case_opener50 case_opener51|keys_shop24 keys_shop25|coins_4_you coins_5_you|robux_2022 robux_2023
lego_fan2011 lego_fan2012|minecraft_09 minecraft_19|steve_2006 alex_2006|creeper_88 creeper_89|ender_1212 ender_2121
zombie_14 zombie_41|kosa_2001 kosa_2010|tank_t34 tank_t35|pilot_f16 pilot_f35|bmw_e36 bmw_e46|audi_80 audi_100|golf_mk2 golf_mk3
fiat126p fiat125p|polonez_89 polonez_98|drift_2jz drift_1jz|moto_cross125 moto_cross250|kawa_600 kawa_636|quad_700 quad_800
legia1916 lech1922|wisla1906 cracovia1906|gornik1948 gornik1984|lewy_9 lewy_10|kroos8 kroos9|zidane_5 zidane_10|ronaldo7 ronaldo9
messi_10 messi_30|neymar11 neymar10|kobe_24 kobe_8|lebron23 lebron6|jordan23 jordan45|player2137 player2138|papiez2137 papiez2136
fps_144hz fps_240hz|rtx_3060 rtx_3070|gtx1060ti gtx1050ti|intel_i5 intel_i7|ryzen5600 ryzen5800|ram_16gb ram_32gb|ssd_500 ssd_250
mini_2137x mini_2138x|luki2k5 luki2k6|domino_2011 domino_2001|zeus_911 zeus_119|alfa_2006 beta_2006|omega_13_pl omega_14_pl`;

export function readPairs(text: string): [string, string][] {
  return text
    .trim()
    .split(/[|\n]/)
    .map((pair) => pair.trim().split(' ') as [string, string]);
}

/** They make invented nicks. */
const WORDS = [...new Set(POLISH.split(/[\s|_]/))].filter((word) => word.length > 2);

/** Thirty names as trusted people have them. */
export const TRUSTED = `
Lis_Posrednik|kowal_spod_lasu|Żubr.Grafik|ola_montuje|Strażniczka Kanału|szybki_handel_pl|xmisiek_yt|jedrek_gra|senny.grzyb94|zewadanro
dębowy_pączek|Rzadansze|leniwy bigos 7870|krzywy rzemieślnik|gorący wędrowiec|siwy.węgorz96|Szklany Ogórek|WymianaFrytka1
Słoneczny Kot|WęglowyRogal777|ślimak1999|mroczny goniec 4|thelolek404|BłękitnyTramwaj777|chomik9824|wielki dzięcioł 69
Kałkaxełka2007|xstaslek8303|Zimny Ślimak|nie_glitch2011`
  .trim()
  .split(/[|\n]/);

/** Affixes of imitations; each stands around several of the thirty names. */
const AROUND = [
  '*_official|real_*|* support|*_pomoc|admin_*|*.mm|*pl|pomoc-*|*_help|mm_*|the_*|*_backup|*_oficjalny|official.*|*.konto',
  '*_0fficial|*_prawdziwy|help_*|*_new|*-PL|Official_*_pl|*_middleman|support.*|its_*|*_2_mm|*.vip|*_team|xX_*_Xx|* admin|*_pоmoc',
].flatMap((line) => line.split('|'));

/** Two imitations of each of the thirty. */
export const AFFIXED: readonly (readonly [string, string])[] = TRUSTED.flatMap((name, at) =>
  [at, at + AROUND.length / 2].map((place): [string, string] => {
    const pattern = AROUND[place % AROUND.length] ?? '';
    // A number is added to long names only, that do not end with one.
    const fits = /\d/.test(pattern) && /\d$/.test(name) ? '*_mm' : pattern;
    return [fits.replace('*', name), name];
  }),
);

/** Each of the thirty with two neighbouring letters swapped, in every way that can be seen. */
export const SWAPPED: readonly (readonly [string, string])[] = TRUSTED.flatMap((name) =>
  Array.from(name.slice(1), (_, at): [string, string] => {
    const [one = '', other = ''] = name.slice(at, at + 2);
    return [name.slice(0, at) + other + one + name.slice(at + 2), name];
  }).filter(([swapped, { length }]) => swapped.length === length && isSwapOfLetters(swapped, name)),
);

function isSwapOfLetters(swapped: string, name: string): boolean {
  const at = [...name].findIndex((letter, place) => letter !== swapped[place]);
  return at >= 0 && /^\p{L}\p{L}$/u.test(name.slice(at, at + 2)) && name[at] !== name[at + 1];
}

/** Twelve hundred others: as people write them, as they are made of words, and with the words of imitations. */
export const STRANGERS: readonly string[] = [
  ...[POLISH, GAMERS].flatMap((text) => readPairs(text).flat()),
  ...Array.from({ length: 500 }, drawNicks(3)),
  ...Array.from({ length: 300 }, drawAffixed(4)),
].slice(0, 1_200);

/** Nicks as people make them: two words, and a number or a third one. Those of equal words differ in more than signs. */
export function drawNicks(seed: number): () => string {
  const random = new Random(seed);
  return () => {
    const end = random.below(6) === 0 ? random.pick(WORDS) : String(random.below(10_000));
    return `${random.pick(WORDS)}${random.pick(['_', '', '.', ' '])}${random.pick(WORDS)}${end}`;
  };
}

function drawAffixed(seed: number): () => string {
  const random = new Random(seed);
  return () =>
    random.pick(AROUND).replace('*', `${random.pick(WORDS)}${random.pick(['_', ''])}${random.pick(WORDS)}`);
}
