// The pages of the small web site, about gardening, cooking and a made-up town.

export type SitePage = {
  readonly path: string;
  readonly title: string;
  /** What a search service shows for it. */
  readonly summary: string;
  /** The article, as HTML. */
  readonly body: string;
};

export const sitePages: readonly SitePage[] = [
  {
    path: '/gardening/tomatoes.html',
    title: 'Growing tomatoes in a cool summer',
    summary: 'When to sow tomatoes, when to plant them out, and which varieties ripen early.',
    body: `
<p>Tomatoes want warmth, and in a cool summer every degree counts. Sow them on a bright window sill in the middle of March, two seeds to a pot, and keep the stronger plant. A cool, bright place at about 16 °C makes sturdier plants than a warm, dark one.</p>
<h2>Planting out</h2>
<p>Wait until the nights stay above 10 °C. In most gardens that is after 15 May. Set the plants deeper than they were in their pots, because the buried stem grows roots, and give each one 60 cm of space. A south-facing wall is worth more than any fertilizer.</p>
<h2>Early varieties</h2>
<table><tr><th>Variety</th><th>Days to the first fruit</th></tr><tr><td>Glacier</td><td>55</td></tr><tr><td>Stupice</td><td>62</td></tr><tr><td>Matina</td><td>70</td></tr></table>
<p>See also <a href="compost.html">how to make compost</a>, which they love, and the <a href="/cooking/tomato-soup.html">soup</a> for everything that ripens at once.</p>`,
  },
  {
    path: '/gardening/compost.html',
    title: 'Compost that works',
    summary: "What goes on the heap, what doesn't, and why to turn it.",
    body: `
<p>A good heap is two parts brown and one part green: dry leaves, straw and torn cardboard for the brown, grass and kitchen scraps for the green. Too much green and it smells; too much brown and nothing happens for a year.</p>
<p>Keep it as moist as a wrung-out sponge, and turn it once a month. Turning lets in the air that the small creatures doing the work need. After nine months it should smell of forest and crumble in your hand.</p>
<p>Leave out meat, bread, and the roots of bindweed. If you want to see a heap that steams in January, ask at the allotments of <a href="/willowbrook/">Willowbrook</a>.</p>`,
  },
  {
    path: '/cooking/rye-bread.html',
    title: 'A rye bread for beginners',
    summary: 'Rye bread with sourdough in four steps, baked at 230 °C for an hour.',
    body: `
<p>This loaf needs no kneading, only time. It keeps for a week and tastes best on the second day, when the crumb has set. All you need is a jar of lively sourdough and a loaf tin.</p>
<ol><li>In the evening, mix 200 g of rye flour, 200 ml of water and 50 g of sourdough.</li><li>In the morning, add 300 g of rye flour, 250 ml of warm water and 11 g of salt.</li><li>Let it rise in the tin for two hours.</li><li>Bake it at 230 °C for ten minutes, then at 190 °C for fifty.</li></ol>
<p>The loaf is done when it sounds hollow if you knock on the bottom, or when it is 97 °C inside. Wrap it in a cloth and wait until the next day before you cut it, however hard that is.</p>`,
  },
  {
    path: '/cooking/tomato-soup.html',
    title: 'Tomato soup from too many tomatoes',
    summary: 'A soup for the week in August when everything ripens at once.',
    body: `
<p>Halve two kilograms of tomatoes and roast them with an onion and four cloves of garlic at 200 °C until their edges are dark, about forty minutes. The dark edges are where the flavor is.</p>
<p>Blend everything with half a liter of broth, strain it if you like, and season it with salt, a spoonful of vinegar and some basil. It freezes well, so make it all at once.</p>
<p>With a slice of <a href="rye-bread.html">rye bread</a> it serves six for supper, and the rest is lunch.</p>`,
  },
  {
    path: '/willowbrook/',
    title: 'Willowbrook, the town by the two mills',
    summary: 'Willowbrook has 4,120 people, two mills and a market on Saturdays.',
    body: `
<p>Willowbrook lies where the Sallow meets the Little Sallow, and has had a mill on each of them since 1382. Today 4,120 people live there. One mill grinds rye for the bakery; the other houses the town museum, which is open on Wednesdays and weekends.</p>
<p>The market is on Saturdays from 8 am to 1 pm in Chandler Square. The allotments behind the station have 64 plots, a club house and a famous compost heap, and the waiting list is longer than the list of members.</p>
<p>Every year on the second Sunday in September the town has its <a href="/willowbrook/mill-race.html">mill race</a>.</p>`,
  },
  {
    path: '/willowbrook/mill-race.html',
    title: 'The Willowbrook mill race',
    summary: 'A boat race between the two mills, on the second Sunday in September.',
    body: `
<p>The mill race is a boat race in which real boats are not allowed: bathtubs, barrels and doors are. It starts at the upper mill at 2 pm and ends, for those who get that far, at the lower mill, 900 meters down the Sallow.</p>
<p>The record is 7 minutes and 12 seconds and was set in 1998 by three bakers in a kneading trough. Sign up at the town hall by the end of August. Life jackets are available free of charge.</p>
<p>Afterwards there is soup and bread for everybody in the museum yard, and the wettest crew wins a ham.</p>`,
  },
];

/** Pages look like those of real sites: navigation and footer around the article. */
export function renderPage({ title, body }: Pick<SitePage, 'title' | 'body'>): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body { font-family: serif }</style><script>window.visits = 1</script></head>
<body><nav><a href="/">Home</a> <a href="/login">Log in</a></nav>
<main><article><h1>${title}</h1>${body}</article></main>
<footer>We use no cookies. <a href="/contact">Contact</a></footer></body></html>`;
}

export function renderIndex(pages: readonly SitePage[]): string {
  const items = pages.map(({ path, title }) => `<li><a href="${path}">${title}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>The small web</title></head><body><h1>The small web</h1><ul>${items}</ul></body></html>`;
}
