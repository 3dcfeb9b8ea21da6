"""The words of the simulated news language, as plain tables.

Notation
--------
``a|b|c``
    Wordings of one thing. Every rendering of a sentence chooses one; the first is the most usual.
``[a|b] c``
    The same inside a longer text; brackets may be nested.
``<a|b>``
    A choice of what is said, not of how: made once for a sentence, hence equal in all renderings.
``{city}``
    A slot, filled once for a sentence or a document, hence equal in all renderings.
``*subject``
    The subject is plural (verbs agree with it).
``+thing``, ``*thing``
    The thing may be singular or plural; the thing is always plural.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thing:
    """Something a sentence can be about: a noun, what it is for, and how it is described."""

    noun: str
    complements: tuple[str, ...]
    adjectives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """What one kind of document speaks about.

    Actions are pairs of a verb and the keys of the things it goes with. ``decisions_for`` are taken for a
    purpose, ``decisions_against`` for a reason, both by ``deciders``; ``comments`` are made by ``critics``.
    Happenings are a subject, what it did, and what that led to. Measures are a noun and the kind of its value.
    """

    name: str
    roles: tuple[tuple[str, str], ...]
    organisations: tuple[str, ...]
    deciders: tuple[str, ...]
    critics: tuple[str, ...]
    things: dict[str, Thing]
    decisions_for: tuple[tuple[str, str], ...]
    decisions_against: tuple[tuple[str, str], ...]
    comments: tuple[tuple[str, str], ...]
    purposes: tuple[str, ...]
    reasons: tuple[str, ...]
    happenings: tuple[tuple[str, str, str], ...]
    measures: tuple[tuple[str, str], ...]
    quotes: tuple[str, ...]
    shorts: tuple[str, ...]
    headlines: tuple[str, ...]


FEMALE_NAMES = (
    "Anna", "Clara", "Edith", "Farah", "Greta", "Helen", "Ines", "Joanna", "Karin", "Laura", "Maria", "Nadia", "Olga",
    "Petra", "Rosa", "Sofia", "Teresa", "Vera", "Yasmin", "Zoë", "Åsa", "Renée",
)  # fmt: skip
MALE_NAMES = (
    "Adam", "Boris", "Carlos", "David", "Erik", "Felix", "George", "Hassan", "Ivan", "Jonas", "Karl", "Leon", "Marco",
    "Nils", "Oscar", "Pavel", "Robert", "Stefan", "Tomas", "Victor", "Jörg", "René",
)  # fmt: skip
SURNAMES = (
    "Almeida", "Andersson", "Barlow", "Bergström", "Brandt", "Castellan", "Corbin", "Dahl", "Delacourt", "Drummond",
    "Eklund", "Ferrant", "Garnier", "Halloran", "Hartwell", "Ivarsen", "Jansky", "Keller", "Kovač", "Lindqvist",
    "Lombardi", "Marchetti", "Morland", "Müller", "Nakata", "Novotny", "Okafor", "Olsen", "Pereira", "Petrov",
    "Quigley", "Rahman", "Rosetti", "Sandoval", "Sørensen", "Tanner", "Ueda", "Vasquez", "Whitlock", "Zeman",
)  # fmt: skip
CITIES = (
    "Harwick", "Port Ellery", "Kelburn", "Norvik", "Westmarch", "Altenfurt", "Calderton", "San Moreno", "Ostmere",
    "Brindale", "Lisvane", "Torrevado", "Fenwick Bay", "Marlow Heath", "Velden", "Castelmar", "Ravensport", "Dunmore",
    "Sankt Alban", "Ashcombe", "Kostrin", "Montelar", "Greyhaven", "Halden", "Elmsbridge",
)  # fmt: skip
REGIONS = (
    "the [north|northern part] of the country",
    "the [south|southern part] of the country",
    "the [western|west of the] province",
    "the [border|frontier] region",
    "the [lake|lakeside] district",
    "the [coastal area|coastal region]",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

TIMES = (
    "on {weekday}",
    "on {weekday}",
    "on {weekday}",
    "on {weekday} [evening|night]",
    "[late|late in the day] on {weekday}",
    "[early|early in the day] on {weekday}",
    "last week|in the past week",
    "last month|in the past month",
    "earlier this <week|month>",
    "on {day} {month}|on {month} {day}",
    "on {day} {month}|on {month} {day}",
    "at the end of {month}|in late {month}",
    "at the beginning of {month}|in early {month}",
    "in {month}",
    "at the weekend|over the weekend",
    "<two|three> <days|weeks> ago",
)
LATER = (
    "[next month|in the coming month]",
    "[in the coming months|over the next few months]",
    "[before|by] the end of the year",
    "[next spring|in the spring]",
    "[in the near future|soon]",
    "[within|in] <two|three> years",
)
PERIODS = (
    "in {month}",
    "in the <first|second|third> quarter",
    "last year|in the past year",
    "in the first [six months|half] of the year",
    "in {year}",
    "between January and {later_month}|from January to {later_month}",
)
DECISION_ADVERBS = (
    "finally|eventually",
    "formally|officially",
    "unexpectedly|surprisingly",
    "quickly|swiftly|rapidly",
    "quietly|discreetly",
    "reluctantly|hesitantly",
)
COMMENT_ADVERBS = ("publicly|openly", "repeatedly|frequently", "immediately|at once", "clearly|plainly", "again")

SPEAKERS = (
    "*analysts|observers",
    "*experts|specialists",
    "*officials|the authorities",
    "*people familiar with the matter|people with knowledge of the matter",
    "a [senior|high-ranking] official",
    "the [local|regional] newspaper",
)
QUOTES = (
    "we [have|still have] a lot of work [ahead of us|to do]",
    "this is [an important|a significant|a major] step [forward|in the right direction]",
    "we [cannot|must not] [afford|accept] [another|a further] delay",
    "nobody [knows|can say] [exactly|precisely] what will happen [next|now]",
    "we are [confident|convinced|sure] that we will [find|reach] a solution",
    "it was [a difficult|a hard|not an easy] decision, but it was the right one",
    "I [do not think|don't believe] that [this|it] is [enough|sufficient]",
    "people [expect|want] [answers|clear answers], and they are right to [do so|ask for them]",
    "we have [learned|learnt] from [our|past] mistakes",
    "the [next|coming] few weeks will be [decisive|crucial]",
    "it is [too early|too soon] to [draw conclusions|judge]",
    "we [take|are taking] these concerns [very seriously|seriously]",
    "I am [very grateful|deeply grateful] to everyone who [helped|supported] us",
    "[there is|we see] no reason to [panic|worry]",
    "that would be [a serious|a grave|a big] mistake",
    "if nothing [changes|happens], [the situation|things] will [get worse|deteriorate]",
)
SHORTS = (
    "the reasons [are unclear|are not known]",
    "[much|a lot] [depends|will depend] on money",
    "that is [not enough|too little]",
    "a [final decision|decision] is [expected|due] on {weekday}",
    "the [talks|discussions] will [continue|resume] on {weekday}",
    "[no further details|no more details] were [given|released]",
    "what [happens|comes] next?",
    "who will [pay|foot the bill]?",
    "[not everyone|not everybody] [agrees|is convinced]",
    "the [answer|reply] was [clear|unambiguous]",
)

TOPICS = (
    Topic(
        name="politics",
        roles=(
            ("finance minister|minister of finance", "minister"),
            ("interior minister|minister of the interior", "minister"),
            ("leader of the Green Party|head of the Green Party", "party leader"),
            ("chair of the budget committee|head of the budget committee", "committee chair"),
            ("deputy mayor of {city}", "deputy mayor"),
        ),
        organisations=("the Liberal Union", "the Workers' Alliance", "the National Audit Office", "the Harbour Party"),
        deciders=(
            "the government|the cabinet",
            "parliament|the national assembly",
            "the [ruling|governing] coalition",
            "*ministers|members of the cabinet",
            "the city council|the council",
        ),
        critics=(
            "*opposition parties|the opposition parties",
            "*trade unions|the unions",
            "*voters|many voters",
            "*human rights groups|rights groups",
            "*mayors|local leaders",
            "the [largest|biggest] opposition party",
        ),
        things={
            "plan": Thing(
                "+plan|proposal|scheme",
                (
                    "to [cut|reduce|lower] the [tax|duty] on fuel",
                    "for [affordable|low-cost] [housing|homes]",
                    "to [reform|overhaul] the pension system",
                ),
                ("controversial|disputed", "new", "ambitious|far-reaching", "long-awaited"),
            ),
            "law": Thing(
                "bill|draft law",
                ("on party [funding|financing]", "on data protection", "on the [rights|protection] of tenants"),
                ("new", "controversial|disputed", "revised|amended"),
            ),
            "budget": Thing(
                "budget|spending plan",
                ("for [next year|the coming year]",),
                ("draft|provisional", "record", "supplementary|additional"),
            ),
            "treaty": Thing(
                "agreement|treaty|accord",
                ("with [neighbouring countries|the neighbouring states]", "on border [controls|checks]"),
                ("bilateral", "historic|landmark", "new"),
            ),
            "vote": Thing(
                "referendum|popular vote",
                ("on [electoral reform|the voting system]", "on the [new|draft] constitution"),
                ("national|nationwide", "planned|proposed"),
            ),
            "decision": Thing(
                "decision|move",
                ("to [raise|increase] the retirement age", "to [close|shut] <two|three> embassies"),
                ("recent|latest", "surprising|unexpected"),
            ),
        },
        decisions_for=(
            ("approve|endorse|back", "plan law budget treaty"),
            ("present|unveil|set out", "plan law budget"),
            ("announce", "vote plan"),
            ("defend|justify", "plan decision budget"),
            ("support|favour", "plan law treaty vote"),
        ),
        decisions_against=(
            ("reject|turn down|throw out", "plan law budget treaty"),
            ("postpone|put off|delay", "vote law plan"),
            ("withdraw|drop|abandon", "plan law"),
            ("block|stop|halt", "treaty plan law"),
        ),
        comments=(
            ("criticise|attack|condemn", "plan law decision budget"),
            ("welcome|praise", "plan treaty decision vote"),
            ("question|challenge", "decision budget plan"),
            ("oppose|resist", "law plan treaty"),
        ),
        purposes=(
            "[win back|regain] the [trust|confidence] of voters",
            "[boost|strengthen|support] the economy",
            "[ease|reduce] the burden on [families|households]",
            "[avoid|prevent] a [government|political] crisis",
        ),
        reasons=(
            "[growing|mounting|rising] [pressure|criticism] from [voters|the public]",
            "a [lack|shortage] of [money|funds]",
            "[deep|serious] [divisions|differences] within the coalition",
            "[legal|constitutional] [concerns|doubts]",
        ),
        happenings=(
            (
                "*[coalition talks|talks between the parties]",
                "[broke down|collapsed|failed]",
                "[raised|increased] [fears|concerns] of [an early|a snap] election",
            ),
            (
                "*thousands of [people|demonstrators|protesters]",
                "[took to the streets|marched through the streets] of {city}",
                "[forced|led] [the police|police] to [close|seal off] [several|a number of] roads",
            ),
            (
                "a [heated|fierce|lively] debate",
                "[broke out|erupted|flared up] in parliament",
                "[lasted|went on] [until late at night|well into the night]",
            ),
            (
                "the [mayor|lord mayor] of {city}",
                "[resigned|stepped down|left office]",
                "[came as|was] a surprise [to|for] [many|most] [citizens|residents]",
            ),
        ),
        measures=(
            ("support for the [government|coalition]", "rate"),
            ("voter turnout|turnout", "rate"),
            ("public debt|government debt", "money"),
            ("[spending on defence|defence spending]", "money"),
            ("*[applications for asylum|asylum applications]", "count"),
        ),
        quotes=(
            "[every|each] vote [counts|matters]",
            "we [need|must find] a [fair|just] [solution|answer] for everyone",
            "the [government|cabinet] has [lost touch with|forgotten] [ordinary people|the people]",
            "taxes [must|should] not be [raised|increased] in the middle of a crisis",
            "[democracy|politics] [needs|depends on] [trust|confidence]",
        ),
        shorts=(
            "the vote was [close|very close]",
            "the [session|sitting] [ended|finished] shortly after midnight",
            "[elections|the elections] will be held in {month}",
        ),
        headlines=(
            "[Government|Cabinet] [survives|wins] confidence vote",
            "[New|Fresh] [talks|negotiations] on pension reform",
            "Coalition [divided|split] over [budget|spending]",
            "[Ministers|Cabinet] under [pressure|fire]",
            "[Thousands|Crowds] [protest|demonstrate] in {city}",
        ),
    ),
    Topic(
        name="transport",
        roles=(
            ("transport minister|minister of transport", "minister"),
            ("chief executive of {org}|head of {org}", "chief executive"),
            ("director of the port authority|head of the port authority", "port director"),
            ("spokesperson for the drivers' union|representative of the drivers' union", "union official"),
        ),
        organisations=("Norvik Rail", "Calder Buses", "Halden Ferries", "Aurelia Airways", "Tramline West"),
        deciders=(
            "the rail operator|the train company",
            "the transport ministry|the ministry of transport",
            "the city council|the council",
            "the port authority|the harbour authority",
            "*officials|the authorities",
        ),
        critics=(
            "*commuters|rail passengers",
            "the drivers' union|the train drivers' union",
            "*residents|local people",
            "*business leaders|business owners",
            "*environmental groups|environmentalists",
        ),
        things={
            "line": Thing(
                "+line|route",
                ("to the [coast|seaside]", "between {city} and {other}", "to the airport"),
                ("high-speed", "new", "busy|heavily used"),
            ),
            "bridge": Thing(
                "bridge|crossing",
                ("over the river", "[near|close to|outside] {city}"),
                ("old|ageing", "railway|rail", "damaged"),
            ),
            "station": Thing(
                "+station|railway station",
                ("in the [centre|heart] of {city}", "[near|close to] the <university|stadium>"),
                ("new", "central", "underground"),
            ),
            "timetable": Thing(
                "timetable|schedule",
                ("for the <winter|summer> [season|months]", "for [regional|local] trains"),
                ("new", "revised|amended", "reduced"),
            ),
            "fares": Thing(
                "*fares|ticket prices",
                ("on [regional|local] [trains|services]", "for [students|young people]"),
                ("regular|standard",),
            ),
            "project": Thing(
                "project|scheme",
                (
                    "to [widen|expand] the [motorway|ring road]",
                    "to [modernise|renew] the [signals|signalling system]",
                    "to [build|construct] a second tunnel",
                ),
                ("costly|expensive", "ambitious", "long-delayed|much-delayed"),
            ),
            "service": Thing(
                "+service|connection",
                ("between {city} and {other}", "for [night-shift|shift] workers"),
                ("direct|non-stop", "hourly", "regional|local"),
            ),
        },
        decisions_for=(
            ("open|inaugurate", "bridge station line"),
            ("extend|expand|lengthen", "line service"),
            ("modernise|upgrade|renovate", "station line bridge"),
            ("approve|endorse|back", "project timetable"),
            ("launch|introduce|start", "service timetable"),
        ),
        decisions_against=(
            ("close|shut", "station bridge line"),
            ("cancel|scrap|drop", "service project"),
            ("postpone|put off|delay", "project timetable"),
            ("suspend|halt|interrupt", "service project"),
            ("raise|increase|put up", "fares"),
        ),
        comments=(
            ("criticise|condemn|attack", "fares timetable project"),
            ("welcome|praise|applaud", "project service line"),
            ("oppose|resist", "project fares line"),
            ("question|challenge", "timetable project"),
        ),
        purposes=(
            "[ease|relieve|reduce] [congestion|traffic] in {city}",
            "[attract|win] more passengers",
            "[cut|shorten|reduce] [journey times|travel times]",
            "[improve|increase] safety on the network",
        ),
        reasons=(
            "a [shortage|lack] of [drivers|qualified drivers]",
            "[urgent|emergency] [repairs|repair work]",
            "[rising|growing|higher] <energy|fuel> costs",
            "[technical problems|technical faults] with the signals",
        ),
        happenings=(
            (
                "a [freight|goods] train",
                "[derailed|came off the rails] [near|close to|outside] {city}",
                "[blocked|closed] the [main line|main route] for [several hours|hours]",
            ),
            (
                "*[ground staff|ground crews] at the airport",
                "[went on strike|walked out|stopped work]",
                "[led to|resulted in|caused] [dozens of|numerous] [cancellations|cancelled flights]",
            ),
            (
                "a [lorry|truck] [carrying|loaded with] [timber|wood]",
                "[overturned|tipped over] on the ring road",
                "[caused|led to] [long|lengthy] [delays|queues]",
            ),
            (
                "a [passenger ferry|ferry]",
                "[ran aground|got stuck] [off|near] the coast",
                "[forced|obliged] the crew to [evacuate|take off] all passengers",
            ),
        ),
        measures=(
            ("*passenger numbers", "count"),
            ("*ticket sales|sales of tickets", "money"),
            ("the number of [delayed|late] trains", "count"),
            ("the share of [punctual trains|trains on time]", "rate"),
            ("[road freight|freight traffic on the roads]", "change"),
        ),
        quotes=(
            "[passengers|travellers] [deserve|have a right to] [a better|an improved] service",
            "[the trains|our trains] are [full|overcrowded] [every|each] morning",
            "safety [comes first|is our first priority]",
            "we [apologise|are sorry] for the [inconvenience|disruption]",
            "without new [vehicles|buses] we cannot [keep|maintain] the timetable",
        ),
        shorts=(
            "[nobody|no one] was [injured|hurt]",
            "the road [is still|remains] closed",
            "[buses|replacement buses] are [running|in service] instead",
        ),
        headlines=(
            "[Rail strike|Train strike] [enters|goes into] second week",
            "New [bridge|crossing] for {city}",
            "[Night trains|Sleeper trains] [return|are back]",
            "[Delays|Disruption] at {city} airport",
            "[Bus drivers|Drivers] [accept|agree to] pay deal",
        ),
    ),
    Topic(
        name="business",
        roles=(
            ("chief executive of {org}|head of {org}", "chief executive"),
            ("finance director of {org}|chief financial officer of {org}", "finance director"),
            ("chief economist at Halden Bank|head of research at Halden Bank", "economist"),
            ("governor of the central bank|head of the central bank", "governor"),
        ),
        organisations=("Brandt Foods", "Halden Bank", "Velden Motors", "Orlen & Pike", "Castelmar Steel", "Nordlicht"),
        deciders=(
            "the company|the firm",
            "the board|the board of directors",
            "the [carmaker|car manufacturer]",
            "the [retailer|retail chain]",
            "*managers|the managers",
        ),
        critics=(
            "*shareholders|investors",
            "*analysts|market analysts",
            "*employees|workers|staff",
            "*consumer groups|consumer organisations",
            "the [metalworkers'|engineering] union",
        ),
        things={
            "factory": Thing(
                "+factory|plant",
                ("in {city}", "for [electric|battery] [cars|vehicles]", "with <300|400> [workers|employees]"),
                ("new", "modern|state-of-the-art", "small"),
            ),
            "takeover": Thing(
                "takeover|acquisition",
                ("of [a smaller|its smaller] [rival|competitor]", "of a [foreign|overseas] [supplier|manufacturer]"),
                ("planned|proposed", "hostile", "costly|expensive"),
            ),
            "offer": Thing(
                "+offer|bid",
                ("for the [loss-making|unprofitable] subsidiary", "for a [majority|controlling] stake"),
                ("improved|higher", "generous", "rival|competing"),
            ),
            "strategy": Thing(
                "strategy|business plan",
                ("for the <Asian|European> market", "for the [next|coming] five years"),
                ("new", "risky|daring", "cautious|careful"),
            ),
            "product": Thing(
                "product|product range",
                ("for [younger|young] [customers|buyers]", "for [small|smaller] [businesses|companies]"),
                ("new", "cheaper|less expensive", "popular|successful"),
            ),
            "branch": Thing(
                "+branch|outlet",
                ("in {city}", "in [rural areas|the countryside]"),
                ("small", "unprofitable|loss-making", "additional|further"),
            ),
            "bonus": Thing(
                "+bonus|dividend",
                ("for [senior|top] [managers|executives]",),
                ("higher|increased", "special|extra"),
            ),
        },
        decisions_for=(
            ("open|set up", "factory branch"),
            ("announce", "takeover offer strategy"),
            ("launch|introduce|bring out", "product"),
            ("expand|enlarge", "factory"),
            ("approve|endorse|back", "takeover strategy offer bonus"),
        ),
        decisions_against=(
            ("close|shut|shut down", "factory branch"),
            ("reject|turn down|decline", "offer takeover"),
            ("abandon|give up|drop", "strategy takeover"),
            ("cancel|scrap", "bonus product"),
            ("sell|sell off", "factory branch"),
        ),
        comments=(
            ("criticise|attack|condemn", "bonus takeover strategy"),
            ("welcome|praise", "offer strategy product"),
            ("oppose|resist", "takeover bonus offer"),
            ("question|challenge", "strategy takeover"),
        ),
        purposes=(
            "[cut|reduce|lower] [costs|spending]",
            "[enter|break into] [foreign|new] markets",
            "[protect|secure|save] [hundreds of jobs|several hundred jobs]",
            "[raise|increase|boost] [profits|earnings]",
        ),
        reasons=(
            "[weak|sluggish|poor] [demand|sales]",
            "[rising|growing|higher] <raw material|energy> [prices|costs]",
            "[fierce|tough|intense] competition from [abroad|overseas]",
            "the [strong|high] [exchange rate|currency]",
        ),
        happenings=(
            (
                "*shares in {org}",
                "[fell|dropped|slid] to their lowest [level|value] in two years",
                "[worried|alarmed|unsettled] [many|most] investors",
            ),
            (
                "*[workers|employees] at the plant",
                "[went on strike|walked out|stopped work]",
                "[cost|has cost] the company [several million|millions of] euros",
            ),
            (
                "*orders from [abroad|overseas]",
                "[recovered|picked up] [more quickly|faster] than [expected|forecast]",
                "[surprised even the optimists|took even the optimists by surprise]",
            ),
            (
                "the [supplier|parts supplier]",
                "[went bankrupt|filed for bankruptcy|became insolvent]",
                "[put|placed] [about|around] 200 jobs at risk",
            ),
        ),
        measures=(
            ("*sales|revenues", "money"),
            ("*profits|net profits", "money"),
            ("unemployment|the unemployment rate", "rate"),
            ("*consumer prices|prices", "change"),
            ("inflation|the inflation rate", "rate"),
            ("*exports", "money"),
            ("the number of [employees|staff]", "count"),
        ),
        quotes=(
            "the [market|industry] is [changing|shifting] [faster|more quickly] than [we expected|expected]",
            "we will not [cut|axe] [any jobs|jobs] this year",
            "[customers|consumers] are [spending|buying] [less|more carefully]",
            "our [products|goods] are [still|as ever] in demand",
            "the [figures|numbers] [speak for themselves|are clear]",
        ),
        shorts=(
            "[investors|shareholders] were [disappointed|not pleased]",
            "the company [declined|refused] to comment",
            "the [shares|stock] [rose|gained] slightly",
        ),
        headlines=(
            "[Profits|Earnings] [rise|up] at {org}",
            "{org} [cuts|sheds] 300 jobs",
            "[Central bank|Bank] [leaves|keeps] rates unchanged",
            "[Carmakers|Car manufacturers] [expect|forecast] [weak|poor] year",
            "<Steel|Fuel> prices [fall|drop] again",
        ),
    ),
    Topic(
        name="weather",
        roles=(
            ("head of the weather service|director of the weather service", "forecaster"),
            ("environment minister|minister of the environment", "minister"),
            ("mayor of {city}", "mayor"),
            ("head of the rescue team|leader of the rescue team", "rescue leader"),
        ),
        organisations=("the Rivers Agency", "Highland Rescue", "the Forest Trust", "Greyhaven Water"),
        deciders=(
            "*officials|the authorities",
            "the [regional|provincial] government",
            "the water company|the water supplier",
            "the environment ministry|the ministry of the environment",
            "the town council|the council",
        ),
        critics=(
            "*farmers|local farmers",
            "*residents|local people",
            "*environmental groups|environmentalists",
            "*scientists|researchers",
            "*insurers|insurance companies",
        ),
        things={
            "warning": Thing(
                "+warning|alert",
                ("for the <coastal|eastern> [districts|areas]", "of [heavy|severe] [rain|rainfall]"),
                ("official", "early", "urgent"),
            ),
            "barrier": Thing(
                "+barrier|flood wall",
                ("along the [river|riverbank]", "[near|close to|outside] {city}"),
                ("new", "higher|taller", "temporary|provisional"),
            ),
            "shelter": Thing(
                "+shelter|emergency shelter",
                ("in {city}", "for [families|people] who [lost|have lost] their homes"),
                ("temporary|provisional", "additional|extra"),
            ),
            "reservoir": Thing(
                "reservoir|dam",
                ("in the [hills|mountains]", "[above|upstream of] {city}"),
                ("large|big", "old|ageing"),
            ),
            "ban": Thing(
                "ban|prohibition",
                ("on [open fires|campfires]", "on [watering|sprinkling] [gardens|lawns]"),
                ("strict|rigorous", "nationwide|national", "temporary"),
            ),
            "fund": Thing(
                "fund|aid fund",
                ("for [flooded|flood-hit] [farms|villages]", "for <storm|flood> victims"),
                ("special", "national", "new"),
            ),
            "plan": Thing(
                "plan|scheme|proposal",
                ("to [plant|grow] a million trees", "to [move|relocate] <two|three> villages"),
                ("ambitious|bold", "long-term", "costly|expensive"),
            ),
        },
        decisions_for=(
            ("issue|publish", "warning"),
            ("build|construct|put up", "barrier shelter"),
            ("open|set up", "shelter fund"),
            ("approve|endorse|back", "plan ban fund"),
            ("repair|restore|mend", "reservoir barrier"),
            ("impose|introduce", "ban"),
        ),
        decisions_against=(
            ("lift|withdraw", "warning ban"),
            ("close|shut", "reservoir shelter"),
            ("postpone|put off|delay", "plan"),
            ("reject|turn down", "plan"),
        ),
        comments=(
            ("criticise|attack|condemn", "plan ban"),
            ("welcome|praise|applaud", "fund plan shelter"),
            ("ignore|disregard", "warning ban"),
            ("question|challenge", "plan ban"),
        ),
        purposes=(
            "[protect|shield] [villages|towns] from [flooding|floods]",
            "[save|conserve] [drinking water|water]",
            "[prevent|avoid] [further|more] [damage|destruction]",
            "[help|support|assist] the victims of the storm",
        ),
        reasons=(
            "[low|falling] water levels",
            "[strong|powerful] winds",
            "the [risk|danger] of [landslides|mudslides]",
            "the [long|lasting|persistent] drought",
        ),
        happenings=(
            (
                "a [violent|severe|heavy] storm",
                "[swept across|hit|passed over] {region}",
                "[left|has left] [thousands of|several thousand] homes without [power|electricity]",
            ),
            (
                "the river",
                "[burst|overflowed] its banks [near|close to] {city}",
                "[forced|obliged] [hundreds of|several hundred] people to [leave|abandon] their homes",
            ),
            (
                "*[forest fires|wildfires]",
                "[spread|moved] [quickly|rapidly] through the hills",
                "[destroyed|burned down] [dozens|scores] of houses",
            ),
            (
                "*[heavy snow|snow] and ice",
                "[brought traffic to a standstill|stopped all traffic] in {region}",
                "[surprised many drivers|caught many drivers off guard]",
            ),
            (
                "a [heat wave|period of extreme heat]",
                "[broke|beat] [several|a number of] records",
                "[put|placed] [older|elderly] people at risk",
            ),
        ),
        measures=(
            ("rainfall|the amount of rain", "change"),
            ("the water level|the level of the river", "change"),
            ("*insurance claims|claims to insurers", "money"),
            ("the number of [forest fires|wildfires]", "count"),
            ("the share of [forest|woodland] [affected|hit] by drought", "rate"),
        ),
        quotes=(
            "we have [never|not] seen [anything like this|a storm like this] [before|in all these years]",
            "the water [rose|came up] so [quickly|fast] that we had to [leave|abandon] everything",
            "[please|we ask people to] stay at home [if you can|if possible]",
            "the [worst|most dangerous part] is [over|behind us]",
            "the [soil|ground] is [too dry|drier than ever]",
        ),
        shorts=(
            "[more|further] rain is [expected|forecast]",
            "[many|most] roads are [impassable|blocked]",
            "the [damage|destruction] is [enormous|huge]",
            "[schools|the schools] [stayed|remained] closed",
        ),
        headlines=(
            "[Storm|Gale] [leaves|cuts off] [villages|homes] without power",
            "[Floods|Flooding] in {city}",
            "[Record|Extreme] heat [expected|forecast]",
            "[Farmers|Growers] [hope|pray] for rain",
            "[Firefighters|Fire crews] [battle|fight] [forest fires|wildfires]",
        ),
    ),
    Topic(
        name="sport",
        roles=(
            ("head coach of {org}|manager of {org}", "coach"),
            ("captain of {org}", "captain"),
            ("president of the football association|head of the football association", "association president"),
            ("sporting director of {org}|director of sport at {org}", "sporting director"),
        ),
        organisations=("Harwick United", "Dynamo Velden", "Kelburn Rovers", "Real Moreno", "Ashcombe Athletic"),
        deciders=(
            "the club|the football club",
            "the football association|the national association",
            "the league|the league association",
            "the [organising|organisation] committee",
            "the [sports|sporting] federation",
        ),
        critics=(
            "*fans|supporters",
            "*players|the players",
            "*former players|former internationals",
            "*sponsors|the sponsors",
            "*[sports|football] journalists",
        ),
        things={
            "stadium": Thing(
                "stadium|ground",
                ("in {city}", "with [room|space] for <20,000|30,000> [fans|spectators]"),
                ("new", "modern", "municipal|city"),
            ),
            "contract": Thing(
                "+contract|deal",
                ("with [the young|the] [striker|forward]", "with [its|the] main sponsor"),
                ("new", "long-term", "lucrative|well-paid"),
            ),
            "match": Thing(
                "+match|game",
                ("against {other}", "between {city} and {other}"),
                ("decisive|crucial", "important", "friendly"),
            ),
            "rule": Thing(
                "+rule|regulation",
                ("on [transfers|player transfers]", "on the use of video evidence"),
                ("new", "strict|tough", "unpopular"),
            ),
            "academy": Thing(
                "academy|training centre",
                ("for [young|talented] [players|athletes]", "in {city}"),
                ("new", "women's", "national"),
            ),
            "tournament": Thing(
                "+tournament|competition",
                ("for [junior|youth] teams", "in {city}"),
                ("international", "annual|yearly", "indoor"),
            ),
            "suspension": Thing(
                "suspension|ban",
                ("of the [goalkeeper|keeper]", "for three [matches|games]"),
                ("long|lengthy", "harsh|severe", "controversial|disputed"),
            ),
        },
        decisions_for=(
            ("open|inaugurate", "stadium academy"),
            ("renovate|modernise|refurbish", "stadium academy"),
            ("sign|conclude", "contract"),
            ("extend|prolong", "contract suspension"),
            ("organise|hold|stage", "tournament match"),
            ("adopt|introduce|bring in", "rule"),
        ),
        decisions_against=(
            ("postpone|put off", "match tournament"),
            ("cancel|call off", "match tournament contract"),
            ("end|terminate", "contract"),
            ("drop|scrap|abolish", "rule"),
            ("lift|overturn", "suspension"),
        ),
        comments=(
            ("criticise|condemn|attack", "rule suspension contract"),
            ("welcome|praise|applaud", "academy contract rule"),
            ("question|challenge", "suspension rule"),
            ("discuss|debate", "contract match tournament"),
        ),
        purposes=(
            "[attract|draw] [larger|bigger] [crowds|audiences]",
            "[raise|improve] the [standard|level] of play",
            "[save|rescue] the season",
            "[support|promote|encourage] young talent",
        ),
        reasons=(
            "[injuries|injury problems] in the [squad|team]",
            "the [bad|poor] [state|condition] of the pitch",
            "[financial|money] [problems|difficulties]",
            "[violent|serious] [clashes|incidents] between [fans|supporters]",
        ),
        happenings=(
            (
                "the [home team|home side]",
                "[scored|equalised] in the [last|final] minute",
                "[delighted|thrilled] the [crowd|spectators]",
            ),
            (
                "the [young|talented] [striker|forward]",
                "[scored|got] [two goals|twice] within ten minutes",
                "[decided|settled] the [match|game] before [half-time|the break]",
            ),
            (
                "the [defending champion|title holder]",
                "[lost|was beaten] in the [opening|first] round",
                "[shocked|stunned|surprised] [many|most] [fans|supporters]",
            ),
            (
                "the [goalkeeper|keeper]",
                "[suffered|picked up] a knee injury in training",
                "[put|placed] a question mark over the [rest|remainder] of the season",
            ),
        ),
        measures=(
            ("*attendances|crowds", "count"),
            ("*ticket sales|sales of tickets", "money"),
            ("the club's debt|the debt of the club", "money"),
            ("the share of [successful|completed] passes", "rate"),
            ("the number of [members|club members]", "count"),
        ),
        quotes=(
            "we [played very well|were superb] in the second half",
            "the [boys|lads] [gave|have given] everything",
            "we [deserved|have deserved] [to win|the victory]",
            "I have [always|long] [dreamed|dreamt] of [this moment|such a moment]",
            "we [must|have to] [improve|get better] in [front of goal|attack]",
        ),
        shorts=(
            "the [match|game] ended in a draw",
            "the [fans|supporters] were [delighted|overjoyed]",
            "the final score was [two to one|2-1]",
            "it was their third [win|victory] in a row",
        ),
        headlines=(
            "[Late|Last-minute] goal [saves|rescues] {city}",
            "{org} [signs|buys] young [striker|forward]",
            "[Champions|Title holders] [crash|go] out",
            "[Record|Biggest ever] crowd in {city}",
            "[Coach|Manager] [stays|remains] until {year}",
        ),
    ),
    Topic(
        name="health",
        roles=(
            ("health minister|minister of health", "minister"),
            ("chief physician at the university hospital|head doctor at the university hospital", "physician"),
            ("president of the nurses' association|head of the nurses' association", "association president"),
            ("director of the {city} clinic|head of the {city} clinic", "director"),
        ),
        organisations=("Medivar", "the Alban Institute", "Northcare", "the Patients' League", "Kestrel Pharma"),
        deciders=(
            "the health ministry|the ministry of health",
            "the [university|teaching] hospital",
            "the medicines agency|the drugs agency",
            "the health authority|the health office",
            "the regional health [board|council]",
        ),
        critics=(
            "*patients|many patients",
            "*nurses|nursing staff",
            "*family doctors|general practitioners",
            "*parents|many parents",
            "the [medical|doctors'] association",
        ),
        things={
            "vaccine": Thing(
                "+vaccine",
                ("against [influenza|the flu]", "for [children|small children]", "for [older|elderly] people"),
                ("new", "improved|better", "effective"),
            ),
            "drug": Thing(
                "+drug|medicine|medication",
                ("against [high blood pressure|hypertension]", "for [diabetes patients|diabetics]"),
                ("new", "expensive|costly", "experimental"),
            ),
            "ward": Thing(
                "+ward|department",
                ("for [premature babies|newborns]", "at the {city} hospital"),
                ("new", "overcrowded|overfull", "modern"),
            ),
            "study": Thing(
                "study|trial",
                ("of [sleep|sleeping] disorders", "with <800|900> [volunteers|participants]"),
                ("large|extensive", "clinical", "international"),
            ),
            "campaign": Thing(
                "campaign",
                ("against [smoking|tobacco]", "for [healthier|better] school [meals|lunches]"),
                ("national|nationwide", "expensive|costly", "new"),
            ),
            "fee": Thing(
                "+fee|charge",
                ("for [hospital visits|visits to hospital]", "for [prescriptions|medicines]"),
                ("additional|extra", "unpopular"),
            ),
            "reform": Thing(
                "reform|overhaul",
                ("of the [emergency|ambulance] services", "of [nursing|nurses'] training"),
                ("comprehensive|sweeping", "long-awaited|overdue", "planned|proposed"),
            ),
        },
        decisions_for=(
            ("approve|authorise|license", "vaccine drug study"),
            ("test|trial", "vaccine drug"),
            ("open|set up", "ward"),
            ("launch|begin|start", "campaign study reform"),
            ("finance|fund", "study campaign ward vaccine"),
            ("recommend|promote", "vaccine drug"),
        ),
        decisions_against=(
            ("close|shut", "ward"),
            ("stop|halt|break off", "study campaign"),
            ("postpone|put off|delay", "reform campaign study"),
            ("withdraw|recall", "drug vaccine"),
            ("raise|increase", "fee"),
        ),
        comments=(
            ("criticise|attack|condemn", "fee reform campaign"),
            ("welcome|praise", "reform campaign drug ward"),
            ("reject|oppose", "fee reform"),
            ("question|doubt", "study reform"),
        ),
        purposes=(
            "[shorten|reduce|cut] waiting times",
            "[protect|shield] [vulnerable|frail] [people|patients]",
            "[slow|curb] the spread of the [disease|illness]",
            "[relieve|ease the load on] [hospital staff|hospital workers]",
        ),
        reasons=(
            "a [shortage|lack] of [nurses|nursing staff]",
            "[unexpected|unforeseen] [risks|dangers]",
            "<safety|quality> [concerns|doubts]",
            "[rising|growing] costs",
        ),
        happenings=(
            (
                "*[cases of measles|measles cases]",
                "[appeared|were found|were recorded] in [several|a number of] schools",
                "[worried|alarmed] [many|most] parents",
            ),
            (
                "*[nurses|nursing staff] in {city}",
                "[went on strike|walked out] for [higher|better] [pay|wages]",
                "[led|caused] [hospitals|clinics] to [postpone|delay] [many|numerous] operations",
            ),
            (
                "the [emergency department|emergency room]",
                "[reached|hit] the limit of its capacity",
                "[meant|led to] [long|lengthy] [waits|waiting times] for patients",
            ),
            (
                "*the first [patients|volunteers]",
                "[left|were discharged from] [hospital|the clinic]",
                "[encouraged|gave hope to] the [research team|researchers]",
            ),
        ),
        measures=(
            ("the number of [infections|infected people]", "count"),
            ("the vaccination rate|the share of vaccinated people", "rate"),
            ("[health spending|spending on health]", "money"),
            ("*hospital admissions|admissions to hospital", "change"),
            ("the number of [vacant|unfilled] posts", "count"),
        ),
        quotes=(
            "[our|the] staff are [exhausted|worn out]",
            "the [treatment|therapy] [works|helps] if it [starts|begins] early",
            "[patients|people] [should|must] not have to wait [for months|that long]",
            "[prevention|avoiding disease] is [cheaper|less expensive] than [treatment|therapy]",
            "a good night's sleep is [often|frequently] the best [medicine|cure]",
        ),
        shorts=(
            "[side effects|adverse effects] are [rare|uncommon]",
            "the patient is [recovering|getting better]",
            "there is no [danger|risk] to the public",
            "all [tests|results] were negative",
        ),
        headlines=(
            "[Flu|Influenza] season [starts|begins] early",
            "[Nurses|Carers] [demand|call for] [higher|better] pay",
            "New [hope|treatment] for [migraine patients|migraine sufferers]",
            "[Waiting|Hospital] lists [grow|get longer]",
            "[Doctors|Physicians] [warn|caution] against [self-medication|self-treatment]",
        ),
    ),
    Topic(
        name="science",
        roles=(
            ("lead author of the study|main author of the study", "researcher"),
            ("[head|director] of physics at the University of {city}", "physicist"),
            ("director of {org}|head of {org}", "director"),
            ("project manager at {org}|head of the project at {org}", "project manager"),
        ),
        organisations=("the Lindqvist Institute", "Orbital North", "the Polar Centre", "Quanta Labs", "Selva Robotics"),
        deciders=(
            "*researchers|scientists",
            "the research team|the team of researchers",
            "the space agency|the national space agency",
            "*engineers|technicians",
            "the [university|technical university]",
        ),
        critics=(
            "*experts|specialists",
            "*independent [scientists|researchers]",
            "*data protection officials|privacy campaigners",
            "*students|many students",
            "the [ethics|review] committee",
        ),
        things={
            "telescope": Thing(
                "+telescope",
                ("in the <desert|mountains>", "on the [island|southern island]"),
                ("powerful|high-performance", "new", "infrared"),
            ),
            "satellite": Thing(
                "+satellite",
                ("to [observe|monitor|watch] the [oceans|seas]", "for <weather|climate> research"),
                ("small", "lightweight|light", "experimental"),
            ),
            "method": Thing(
                "+method|technique|procedure",
                ("for [storing|the storage of] energy", "to [remove|filter] [plastic|microplastics] from water"),
                ("simple|straightforward", "promising", "novel|new"),
            ),
            "robot": Thing(
                "+robot",
                ("for [dangerous|hazardous] [work|tasks]", "that can [climb|walk up] stairs"),
                ("autonomous|self-driving", "six-legged", "intelligent|clever"),
            ),
            "software": Thing(
                "+program|application",
                ("that [recognises|identifies] [voices|speech]", "to [translate|render] [old|ancient] manuscripts"),
                ("new", "self-learning", "free|free-of-charge"),
            ),
            "experiment": Thing(
                "+experiment|test",
                ("on board the space station", "with [ultracold|very cold] [atoms|gases]"),
                ("delicate", "unusual|uncommon", "costly|expensive"),
            ),
            "laboratory": Thing(
                "laboratory|lab",
                ("in {city}", "for [marine|ocean] [biology|research]"),
                ("new", "underground", "mobile"),
            ),
        },
        decisions_for=(
            ("develop|devise|design", "method robot software"),
            ("test|try out", "method robot software satellite"),
            ("launch", "satellite"),
            ("build|construct", "telescope robot satellite laboratory"),
            ("repeat", "experiment"),
            ("present|unveil", "method robot software telescope"),
            ("open|inaugurate", "laboratory telescope"),
        ),
        decisions_against=(
            ("stop|halt|break off", "experiment"),
            ("postpone|delay|put off", "experiment"),
            ("abandon|give up", "method satellite"),
            ("close|shut", "laboratory telescope"),
            ("switch off|turn off", "robot satellite telescope"),
        ),
        comments=(
            ("criticise|attack", "experiment software method"),
            ("praise|welcome", "method robot software laboratory"),
            ("examine|inspect|check", "method software experiment"),
            ("question|doubt", "experiment method"),
        ),
        purposes=(
            "[better understand|gain a better understanding of] the [climate|atmosphere]",
            "[search|look] for [signs|traces] of life",
            "[save|conserve] [energy|electricity]",
            "[speed up|accelerate] the [search for|development of] new materials",
        ),
        reasons=(
            "a [technical fault|technical defect]",
            "a [lack|shortage] of [funding|money]",
            "[inaccurate|imprecise] measurements",
            "[safety|security] concerns",
        ),
        happenings=(
            (
                "the [probe|spacecraft]",
                "[landed|touched down] on the <surface|far side> of the moon",
                "[was celebrated|was hailed] as a [success|triumph] by the [team|engineers]",
            ),
            (
                "*[divers|marine researchers]",
                "[discovered|found|came across] a [previously unknown|new] species of <fish|coral>",
                "[surprised|astonished|amazed] [biologists|experts]",
            ),
            (
                "the [signal|radio signal] from the [probe|spacecraft]",
                "[broke off|was lost] [shortly|soon] after the launch",
                "[puzzled|baffled] the [engineers|technicians]",
            ),
            (
                "a [meteorite|small meteorite]",
                "[fell|came down] in a field [near|close to] {city}",
                "[attracted|drew] [collectors|curious visitors] from [all over the world|many countries]",
            ),
        ),
        measures=(
            ("[research funding|funding for research]", "money"),
            ("the number of [patents|registered patents]", "count"),
            ("the error rate|the rate of errors", "rate"),
            ("[power consumption|energy consumption] at the data centre", "change"),
            ("the number of [students|enrolled students]", "count"),
        ),
        quotes=(
            "the [results|findings] [exceeded|went beyond] [our|all our] expectations",
            "we [did not expect|never expected|had not anticipated] such a result",
            "[computers|machines] [cannot|will never] [replace|take the place of] curiosity",
            "[further|more] [studies|tests] are [needed|required] to [confirm|verify] this",
            "at first we [thought|believed] it was a [measuring error|mistake]",
        ),
        shorts=(
            "the [results|findings] were [published|released] on {weekday}",
            "the [data|measurements] [are|were] [clear|unambiguous]",
            "the [test|experiment] was [a success|successful]",
            "[many|several] questions [remain|are still] open",
        ),
        headlines=(
            "[Probe|Spacecraft] [lands|touches down] safely",
            "[Researchers|Scientists] [find|discover] [new|unknown] species",
            "[Robot|Machine] [learns|teaches itself] to swim",
            "[Oldest|Most ancient] <star|galaxy> [photographed|pictured]",
            "[Breakthrough|Progress] in battery research",
        ),
    ),
    Topic(
        name="culture",
        roles=(
            ("director of the city museum|head of the city museum", "museum director"),
            ("artistic director of {org}|head of {org}", "artistic director"),
            ("culture minister|minister of culture", "minister"),
            ("chair of the jury|head of the jury", "jury chair"),
        ),
        organisations=("the Rosetti Gallery", "the Lakeside Festival", "Studio Ferrant", "the Alban Orchestra"),
        deciders=(
            "the museum|the city museum",
            "the theatre|the city theatre",
            "the culture ministry|the ministry of culture",
            "*organisers|the organisers",
            "the [city|municipal] library",
        ),
        critics=(
            "*critics|reviewers",
            "*visitors|many visitors",
            "*musicians|the musicians",
            "*readers|book lovers",
            "*artists|local artists",
        ),
        things={
            "exhibition": Thing(
                "+exhibition|show",
                ("of [medieval|early] [manuscripts|books]", "of [modern|contemporary] photography"),
                ("large|major", "special", "travelling|touring"),
            ),
            "film": Thing(
                "+film|movie",
                ("about <a family|two sisters> in {city}", "about the <life|youth> of a <painter|composer>"),
                ("new", "silent", "prize-winning|award-winning"),
            ),
            "novel": Thing(
                "+novel|book",
                ("about a [lighthouse keeper|lonely sailor]", "about [growing up|a childhood] in {region}"),
                ("short", "funny|humorous", "autobiographical"),
            ),
            "festival": Thing(
                "festival",
                ("of [street|open-air] theatre", "in {city}"),
                ("annual|yearly", "international", "three-day"),
            ),
            "prize": Thing(
                "+prize|award",
                ("for [young|promising] [writers|authors]", "for the best [documentary|documentary film]"),
                ("national", "prestigious|renowned", "new"),
            ),
            "painting": Thing(
                "+painting|picture",
                ("by an [unknown|anonymous] [artist|master]", "of the old [harbour|port]"),
                ("valuable|precious", "famous|well-known", "stolen"),
            ),
            "production": Thing(
                "production|staging",
                ("of a [forgotten|little-known] <opera|play>", "with <young|amateur> <actors|singers>"),
                ("modern|contemporary", "daring|bold", "new"),
            ),
        },
        decisions_for=(
            ("open|inaugurate", "exhibition festival"),
            ("extend|prolong", "exhibition festival"),
            ("show|present", "film painting exhibition production"),
            ("buy|purchase|acquire", "painting"),
            ("restore|clean", "painting film"),
            ("create|establish|set up", "prize"),
            ("publish|bring out|release", "novel"),
        ),
        decisions_against=(
            ("cancel|call off", "festival exhibition production"),
            ("postpone|put off|delay", "production exhibition film"),
            ("sell|sell off", "painting"),
            ("abolish|scrap", "prize"),
            ("shorten|cut short", "festival exhibition"),
        ),
        comments=(
            ("criticise|attack", "production film novel"),
            ("praise|applaud", "production film novel exhibition"),
            ("celebrate|acclaim", "film novel production festival"),
            ("dislike|hate", "production film"),
        ),
        purposes=(
            "[attract|draw] [younger|young] [visitors|audiences]",
            "[support|promote|encourage] [local|regional] artists",
            "[mark|celebrate] the [anniversary|birthday] of the <composer|painter>",
            "[finance|pay for] the [renovation|restoration] of the [building|old building]",
        ),
        reasons=(
            "[poor|weak|low] [ticket sales|attendance]",
            "[building|construction] work",
            "a [dispute|disagreement] with the [sponsors|donors]",
            "[budget|spending] cuts",
        ),
        happenings=(
            (
                "the [premiere|first performance]",
                "[ended|finished] with [long|lengthy] applause",
                "[delighted|moved] the [director|young director]",
            ),
            (
                "*[thieves|burglars]",
                "[broke into|got into] the gallery",
                "[shocked|appalled] the [art world|art scene]",
            ),
            (
                "*[tickets|all tickets]",
                "[sold out|were gone] within <two|three> hours",
                "[took|caught] the organisers by surprise",
            ),
            (
                "an [unpublished|unknown] <letter|manuscript>",
                "[turned up|was found|came to light] in an <attic|old library>",
                "[excited|delighted|thrilled] [historians|scholars]",
            ),
        ),
        measures=(
            ("*visitor numbers", "count"),
            ("*ticket sales|box office receipts", "money"),
            ("[public funding|state funding] for the arts", "money"),
            ("the share of [young|younger] visitors", "rate"),
            ("*book sales|sales of books", "change"),
        ),
        quotes=(
            "[art|culture] [must|should] be [open|accessible] to [everyone|all]",
            "the [audience|public] was [wonderful|marvellous]",
            "a good [book|novel] [asks|raises] more questions than it answers",
            "[every|each] picture [tells|has] a story",
            "we [want|would like] to [surprise|astonish] people, not to [teach|lecture] them",
        ),
        shorts=(
            "the [audience|public] was [enthusiastic|delighted]",
            "[admission|entry] is free",
            "the exhibition [runs|is open] until {day} {month}",
            "the [hall|theatre] was [full|packed]",
        ),
        headlines=(
            "[Stolen|Missing] painting [found|discovered] in {city}",
            "[Museum|Gallery] [reopens|opens again] in {month}",
            "[Literary|Book] prize goes to [newcomer|debut author]",
            "[Film|Movie] festival [opens|begins] in {city}",
            "[Orchestra|Musicians] on [world tour|tour]",
        ),
    ),
)
