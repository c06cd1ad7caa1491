// SPDX-License-Identifier: Apache-2.0
extension ObjectCategory {
    /// The category of a class by its name: of COCO's 80 classes and of ImageNet's 1000, by this table. Case and
    /// underscores do not count, nor does WordNet's number before the name (`n07753592 banana`) or the text after its
    /// first comma. A class of no list is `unknown`, which says: none of the five, or not known to the table.
    ///
    /// For COCO these are the super-categories accessory (fashion), food, kitchen, furniture, appliance, indoor and
    /// television (home). Where COCO and ImageNet have a class of one name, it is the same thing. For ImageNet the
    /// categories hold:
    ///
    /// - fashion: things worn or carried on the body
    /// - food: food and drink
    /// - home: furniture, kitchen ware, appliances and other things in rooms
    /// - place: buildings, rooms that are places to go to, and landscapes
    /// - plant: plants, fungi and their fruits that nobody eats
    public init(label: String) {
        self = Self.table[Self.key(label)] ?? .unknown
    }

    /// Every name of the table, as `init(label:)` compares it.
    static var names: Dictionary<String, ObjectCategory>.Keys { table.keys }

    private static func key(_ label: String) -> String {
        var name = label.prefix { $0 != "," }
        if name.first == "n", let space = name.firstIndex(of: " "), name[..<space].dropFirst().allSatisfy(\.isNumber) {
            name = name[space...].dropFirst()
        }
        return String(name.map { $0 == "_" ? " " : $0 }).lowercased()
    }

    private static let table: [String: ObjectCategory] = {
        var table: [String: ObjectCategory] = [:]
        for (category, names) in lists {
            for name in names.split(separator: ";") { table[String(name.drop { $0.isWhitespace })] = category }
        }
        return table
    }()

    private static let lists: [(ObjectCategory, String)] = [
        (.fashionGood, fashionGoods), (.food, foods), (.homeGood, homeGoods), (.place, places), (.plant, plants),
    ]

    private static let fashionGoods = """
        backpack; handbag; suitcase; tie; umbrella; \
        abaya; academic gown; apron; bathing cap; bib; bikini; bolo tie; bonnet; bow tie; brassiere; bulletproof vest; cardigan; \
        christmas stocking; cloak; clog; cowboy boot; cowboy hat; diaper; digital watch; feather boa; fur coat; gown; hair slide; \
        handkerchief; hoopskirt; jean; jersey; kimono; lab coat; loafer; lipstick; mailbag; maillot; military uniform; miniskirt; \
        mitten; mortarboard; necklace; overskirt; pajama; perfume; poncho; purse; running shoe; sandal; sarong; shower cap; sock; \
        sombrero; stole; suit; sunglass; sunglasses; sweatshirt; swimming trunks; trench coat; vestment; wallet; wig; windsor tie
        """

    private static let foods = """
        apple; banana; broccoli; cake; carrot; donut; hot dog; orange; pizza; sandwich; \
        acorn squash; artichoke; bagel; bell pepper; burrito; butternut squash; carbonara; cardoon; cauliflower; cheeseburger; \
        chocolate sauce; consomme; corn; cucumber; custard apple; dough; eggnog; espresso; fig; french loaf; granny smith; guacamole; \
        head cabbage; hot pot; hotdog; ice cream; ice lolly; jackfruit; lemon; mashed potato; meat loaf; mushroom; pineapple; \
        plate; pomegranate; potpie; pretzel; red wine; spaghetti squash; strawberry; trifle; zucchini
        """

    private static let homeGoods = """
        bed; book; bottle; bowl; chair; clock; couch; cup; dining table; diningtable; fork; hair drier; knife; microwave; oven; \
        refrigerator; scissors; sink; sofa; spoon; teddy bear; toaster; toilet; toothbrush; tv; tvmonitor; vase; wine glass; \
        analog clock; ashcan; barber chair; barrel; bassinet; bath towel; bathtub; beer bottle; beer glass; bookcase; broom; bucket; \
        caldron; can opener; candle; chest; chiffonier; china cabinet; cleaver; cocktail shaker; coffee mug; coffeepot; corkscrew; \
        cradle; crib; crock pot; desk; digital clock; dishrag; dishwasher; doormat; dutch oven; electric fan; entertainment center; \
        espresso maker; file; fire screen; folding chair; four-poster; frying pan; goblet; hamper; hand blower; hourglass; iron; ladle; \
        lampshade; measuring cup; medicine chest; milk can; mixing bowl; mosquito net; paper towel; park bench; pill bottle; pillow; \
        pitcher; plate rack; plunger; pool table; pop bottle; pot; prayer rug; quilt; radiator; rain barrel; rocking chair; rotisserie; \
        saltshaker; sewing machine; shoji; shower curtain; sleeping bag; soap dispenser; soup bowl; space heater; spatula; \
        stove; strainer; studio couch; swab; table lamp; teapot; teddy; television; theater curtain; throne; toilet seat; \
        toilet tissue; tray; tub; vacuum; waffle iron; wall clock; wardrobe; washbasin; washer; water bottle; water jug; whiskey jug; \
        window screen; window shade; wine bottle; wok; wooden spoon
        """

    private static let places = """
        bakery; barbershop; barn; beacon; bell cote; boathouse; bookshop; breakwater; butcher shop; castle; church; cinema; \
        cliff dwelling; confectionery; dam; dock; dome; fountain; greenhouse; grocery store; home theater; library; lumbermill; maze; \
        megalith; mobile home; monastery; mosque; obelisk; palace; patio; pier; planetarium; prison; restaurant; shoe shop; stage; \
        steel arch bridge; stupa; suspension bridge; thatch; tile roof; tobacco shop; totem pole; toyshop; triumphal arch; vault; \
        viaduct; water tower; yurt; \
        alp; cliff; coral reef; geyser; lakeside; promontory; sandbar; seashore; valley; volcano
        """

    private static let plants = """
        potted plant; pottedplant; \
        acorn; agaric; bolete; buckeye; coral fungus; daisy; ear; earthstar; gyromitra; hay; hen-of-the-woods; hip; rapeseed; stinkhorn; \
        yellow lady's slipper
        """
}
