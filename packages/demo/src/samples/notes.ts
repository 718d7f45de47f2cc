// The sample people and the notes in their vaults.

type SampleVault = Readonly<Record<string, string>>;

export const sampleNotes: Readonly<Record<'sebastian' | 'petra', SampleVault>> = {
  sebastian: {
    'shopping-list.md': `# Shopping list

- [ ] oat milk
- [ ] two lemons
- [ ] rye flour, 1 kg
- [x] coffee beans
- [ ] birthday candles for Mia (she turns seven!)
`,
    'garden-plan.md': `# Garden plan

## March
- Sow tomatoes and basil on the window sill
- Cut back the roses once the forsythia blooms

## April
- Potatoes into the bed by the shed
- Net over the pond before the heron comes back

## May
- Tomatoes move outside after the 15th
- Ask Petra for some of her rhubarb

Beds last year: 1 beans, 2 potatoes, 3 courgettes. Rotate by one.
`,
    'reading-list.md': `# Reading list

| Book | Author | State |
|---|---|---|
| The Left Hand of Darkness | Ursula K. Le Guin | reading, page 120 |
| Braiding Sweetgrass | Robin Wall Kimmerer | next |
| The Soul of a New Machine | Tracy Kidder | lent to Jonas |
| A Pattern Language | Christopher Alexander | finished |
`,
    'meetings/2026-01-19-allotment-club.md': `# Allotment club, 19 January

Present: Petra, Jonas, Mrs Okafor, Sebastian

- The water pump has been repaired; we split the bill of 184 euros by plot.
- Seed swap on 21 February in the club house. Sebastian brings tomatoes.
- Jonas looks after the compost until Easter.

**To do for Sebastian:** ask the town about the broken lamp at the gate.
`,
    'meetings/2026-01-26-heating.md': `# Call about the heating, 26 January

- The engineer comes on 4 February between 9 and 11.
- Boiler type: VT-200, built 2014. Last serviced two years ago.
- Ask about the noise in the bathroom radiator and the pressure, which drops by 0.2 bar a week.
`,
    'ideas/bird-box-camera.md': `# Bird box with a camera

A tit box with a small camera for Mia. An old phone might do.

- Power: the shed has a socket, 6 m away
- Infrared light, so that it doesn't disturb the birds
- Hang it before the end of February
`,
  },
  petra: {
    'shopping-list.md': `# Shopping list

- [ ] wholegrain pasta
- [ ] goat cheese
- [ ] dark chocolate, 85 %
- [x] dish soap
`,
    'packing-list.md': `# Packing list for the hut

- [ ] sleeping bag liner
- [ ] head torch and spare batteries
- [ ] first-aid kit (plasters are out!)
- [ ] cards and the small chess set
- [ ] 1.5 l of water each

The key is with the Hubers; call before noon.
`,
    'meetings/2026-01-21-choir.md': `# Choir, 21 January

- Concert on 18 April at 7 pm in St. Martin.
- The altos learn bars 40 to 72 by heart by next week.
- Petra orders sandwiches from the bakery for 40 people.
`,
    'garden/rhubarb.md': `# Rhubarb

Divide the big plant in March, before it sprouts. One piece goes to Sebastian.
No harvest after 24 June.
`,
  },
};
