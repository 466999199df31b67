/// The time zones of the world, as `.ci/zones` writes them and says how to read them.
///
/// Source: the IANA time zone database (in the public domain), from 1970 on.
enum ZoneTable {
  /// The version of the database.
  static let version = "2025b"

  /// The records, by area.
  static var parts: [String] { [america, asia, others] }

  /// The zones of the other areas.
  static let others = """
    Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Conakry Africa/Dakar Africa/Free\
    town Africa/Lome Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu Atlantic/Reykjavik Atlant\
    ic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich Etc/UCT Etc/UTC Etc/Universal E\
    tc/Zulu|0||;Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti\
     Africa/Kampala Africa/Mogadishu Africa/Nairobi Antarctica/Syowa Asia/Aden Asia/Kuwait Asia/Riy\
    adh Etc/GMT-3 Indian/Antananarivo Indian/Comoro Indian/Mayotte|10800||;Africa/Algiers|0 3600 72\
    00|tmkoB9i80A3if7cBjvk0Cb8jcBomhcAb8jcBbo3cAb8coB|;Africa/Bangui Africa/Brazzaville Africa/Doua\
    la Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda Africa/Malabo Africa/Niamey Afr\
    ica/Porto-Novo Etc/GMT-1|3600||;Africa/Bissau|-3600 0|34pvcB|;Africa/Blantyre Africa/Bujumbura\
     Africa/Gaborone Africa/Harare Africa/Johannesburg Africa/Kigali Africa/Lubumbashi Africa/Lusak\
    a Africa/Maputo Africa/Maseru Africa/Mbabane Etc/GMT-2|7200||;Africa/Cairo|7200 10800|7ekoB9g3c\
    Ad30oB9g3cAd58oB9g3cAd30oB9g3cAd30oB9g3cAd30oB9g3cAd58oB9g3cAd30oB9g3cAd30oB9g3cAd30oB9g3cAd58o\
    B9g3cAd30oB9g3cAibwoB477cAhj0oB503cAd58oB9g3cAd30oB9g3cAd30oB9g3cAd30oB9g3cAd58oB9g3cAde4oB94zc\
    Ad30oB9g3cAd30oB9g3cAd58oB9g3cAd30oB9g3cAd30oB9g3cAcw9cB9i4oAcyrcB9i4oAcyrcB9i4oAcyrcB9i4oAdebc\
    B9i4oAcyrcB9i4oAcyrcB9i4oAcyrcB9i4oAcyrcB9i4oAdebcB9i4oAcyrcB9i4oAcyrcB92koAdebcB87goAe9fcB7rwo\
    AeozcB7ccoAfk3cB6csoA1urcB1akoA29o3cB2l8oA25vcB3gcoA5dkzcB|4.5.5.0.10800,10.5.4.86400.7200;Afri\
    ca/Casablanca|0 3600|2sxc0B498oA11j7cB5ocoAgurcB998oAf6rcB3y4oA3ilvcB14hooAe1dfcB5ocoAgurcB4zwo\
    AfojcB61ooAeozcB7ccoAguy0B5280A1ww0B2j40Acyo0B4bk0A23k0B4tc0A9i80B5k00A25s0B58w0A9i80B4r40A25s0\
    B61s0A9i80B4bk0A25s0B6ww0A92o0B3gg0A2lc0B7cg0A92o0B30w0A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjg00\
    A2lc0Bjg00A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A25s0\
    Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A25s0Bjvk0A25s0Bjg00\
    A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0\
    Bjg00A2lc0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00\
    A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A2lc0Bjg00A25s0\
    Bjg00A2lc0Bjg00A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00\
    A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjg00A2lc0Bjg00A25s0Bjvk0A25s0Bjg00A2lc0Bjg00A25s0Bjvk0A25s0\
    Bjg00A2lc0B|;Africa/Ceuta|0 3600 7200|2sxc0B498oA11j7cB5ocoAgurcB998oAf6rcB3y4oA3ilvcB19xfcCb8g\
    0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cbo00Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bbo0\
    0C|3.5.0.7200.7200,10.5.0.10800.3600;Africa/El_Aaiun|-3600 0 3600|3xo3cB11ooC5ocoBgurcC998oBf6r\
    cC3y4oBiogzcC5ocoBgurcC4zwoBfojcC61ooBeozcC7ccoBguy0C5280B1ww0C2j40Bcyo0C4bk0B23k0C4tc0B9i80C5k\
    00B25s0C58w0B9i80C4r40B25s0C61s0B9i80C4bk0B25s0C6ww0B92o0C3gg0B2lc0C7cg0B92o0C30w0B25s0Cjvk0B25\
    s0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0Cjg\
    00B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B2lc0Cjg00B25s0Cjg00B2l\
    c0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B25s0Cjv\
    k0B25s0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2l\
    c0Cjg00B25s0Cjg00B2lc0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0Cjg00B25s0Cjg\
    00B2lc0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B2l\
    c0Cjg00B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0Cjg00B25s0Cjg00B2lc0Cjg00B25s0Cjvk0B25s0Cjg\
    00B2lc0Cjg00B25s0Cjvk0B25s0Cjg00B2lc0C|;Africa/Juba|7200 10800|7ehcBab0oAc5vcBad8oAc83cBad8oAc3\
    ncBafgoAc1fcBahooAbz7cBajwoAbwzcBaocoAbsjcBaqkoAc5vcBad8oAc3ncBafgoAc1fcBajwoAbwzcBam4oAburcBao\
    coAbsjcBaqkoAc5vcBafgoAc1fcBahooA8xbvcBd6j8oA|;Africa/Khartoum|7200 10800|7ehcBab0oAc5vcBad8oAc\
    83cBad8oAc3ncBafgoAc1fcBahooAbz7cBajwoAbwzcBaocoAbsjcBaqkoAc5vcBad8oAc3ncBafgoAc1fcBajwoAbwzcBa\
    m4oAburcBaocoAbsjcBaqkoAc5vcBafgoAc1fcBahooA8xbvcBb578oA|;Africa/Monrovia|-2670 0|19fmhB|;Afric\
    a/Ndjamena|3600 7200|64jwoB90coA|;Africa/Sao_Tome|0 3600|u283cBmj40A|;Africa/Tripoli|7200 3600|\
    7ijtcB5k3cAbakoBb8jcAbakoBbarcAbakoBbjncAazgoBbf7cAb8coBb43cAbakoBbarcAbakoBb8jcAbakoBd9vcA40i4\
    oBbhfcA9rsjcB8kw0A|;Africa/Tunis|3600 7200|4l6koB92o0Adio0B9g00A61yo0B75s0Ab8g0Bb8g0Adio0B9ds0A\
    94ts0B9dvcAaxfcBde80A92o0Bde80A9i80Bcyo0A|;Africa/Windhoek|7200 3600|f5zdcBabe0AcykoB9ibcAde4oB\
    92rcAde4oB9ibcAcykoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9ibcAde4oB92rcAde4oB9ibcAcykoB9ibcAcykoB9ibcA\
    cykoB9ibcAcykoB9ibcAde4oB9ibcAcykoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9ibcAde4oB92rcAde4oB9ibcAcykoB\
    9ibcAcykoB9ibcAcykoB9ibcA|;Antarctica/Casey|28800 39600|ox7g0B8ie0A11620B77woA2x6koBv6bcAcyy0B9\
    xeoAcey0B9me0Acyo2B9xhyAcje2B9xhyAcje2B9r3yA|;Antarctica/Davis|25200 18000|ox7jcB8w3cA10scoB783\
    cA|;Antarctica/DumontDUrville Etc/GMT-10 Pacific/Chuuk Pacific/Port_Moresby Pacific/Truk Pacifi\
    c/Yap|36000||;Antarctica/Macquarie|39600 36000|41xcBe9c0A8n40Be9c0A7cg0Bf4g0A7s00Beow0A7s00Beow\
    0A7s00Beow0A87k0Beow0A7s00Beow0A7s00Beow0A7s00Beow0A7s00Beow0A7s00Beow0A9i80Bde80A92o0Bde80A7s0\
    0Beow0A7s00Beow0A7s00Be9c0A92o0Bdts0A92o0Bdts0A8n40Bdts0A8n40Bdts0A9i80Bbo00Aasw0Bbo00Aasw0Bbo0\
    0Aasw0Bbo00Aasw0Bbo00Ab8g0Bbo00Aasw0Bbo00Aasw0Bbo00Aasw0Bbo00Aasw0B9i80Acyo0Bc3k0Aasw0Bbo00Aasw\
    0Bbo00Aasw0Bbo00Aasw0Bbo00Ab8g0Bb8g0Aasw0Bc3k0Ab8g0Bb8g0Ab8g0Bb8g0Axpc0B|10.1.0.7200.39600,4.1.\
    0.10800.36000;Antarctica/Mawson|21600 18000|ox7moB|;Antarctica/McMurdo Antarctica/South_Pole Pa\
    cific/Auckland|43200 46800|311qoB6ww0Af4g0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s\
    00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Ade80B9xs0Acj\
    40B9xs0Acj40B9xs0Acj40Badc0Ac3k0Badc0Ac3k0Badc0Ac3k0Badc0Acj40B9xs0Acj40B9xs0Acj40Badc0Ac3k0Bad\
    c0Ac3k0Badc0Acj40B9xs0Acj40B9xs0Acj40Badc0Ac3k0Badc0Ac3k0Badc0Ac3k0Badc0Ac3k0B|9.5.0.7200.46800\
    ,4.1.0.10800.43200;Antarctica/Palmer|-10800 -14400 -7200|2jju0C61ooA50dfcBa03cA9i4oBcyrcA9i4oBd\
    ebcA92koBdebcA92koBdebcAb8coBb8jcA9i4oBcyrcA9i4oBdebcA92koBbo3cAassoBdebcA9i4oBcyrcA9i4oBcyrcA9\
    i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBc3ncAbnwoBbo3cA9i4oBdebcA92koBdebcA92koBdebcA92koBd\
    ebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBcyrcAassoBbo3cAcykoB6hfcAfjwoB7s3cAe\
    osoB87ncAe98oB87ncA120soB5mbcA|;Antarctica/Rothera|0 -10800|4bxc0B|;Antarctica/Troll|0 7200|m2d\
    vcB|3.5.0.3600.7200,10.5.0.10800.0;Antarctica/Vostok|25200 0 18000|f308oBgvbcAi8prcC|;Arctic/Lo\
    ngyearbyen Atlantic/Jan_Mayen Europe/Berlin Europe/Copenhagen Europe/Oslo Europe/Stockholm|3600\
     7200|6fczcBasw0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g\
    0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,1\
    0.5.0.10800.3600;Atlantic/Azores|-3600 0 3600|7nv7cBb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g\
    0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0A5mbcB5m4oC5000B68g0Ab8g0Bb8g0Ab8g\
    0Bb8g0Abo00B|3.5.0.0.0,10.5.0.3600.-3600;Atlantic/Bermuda|-14400 -10800|2pf80Bb8coAb8jcBb8coAb8\
    jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8\
    coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9i\
    bcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcy\
    koA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-10800,11.1.0.7200.-14400;Atlantic/Canary|0 3600|6fcw0B\
    aszcAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0A\
    b8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.3600.3600,10.5.0.7200.0\
    ;Atlantic/Cape_Verde|-7200 -3600|3oz1cB|;Atlantic/Faeroe Atlantic/Faroe|0 3600|71ebcBb8g0Ab8g0B\
    b8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0A\
    b8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.3600.3600,10.5.0.7200.0;Atlantic/Madeira|0\
     3600|7oao0Basw0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8jcAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo0\
    0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.3600.3600,10.5.0.7200.0;Atlanti\
    c/South_Georgia Etc/GMT+2|-7200||;Atlantic/Stanley|-14400 -10800 -7200|8ci5cB92koCde4oB8n7cCdto\
    oBm1fcA92rcBde4oA92rcBde4oA92rcBde4oA92rcBdtooA8n7cBdtooA92rcBde4oA92rcBde4oA92rcBde4oA92rcBde4\
    oA92rcBdtooA92rcBde4oA92rcBde4oA92rcBde4oA92rcBde4oA92rcBdebcA8n7cBe98oA87ncBe98oA8n7cBdtooA8n7\
    cBdtooA8n7cBdtooA8n7cBdtooA8n7cBe98oA8n7cBdtooA8n7cBdtooA8n7cB|;Australia/ACT Australia/Canberr\
    a Australia/NSW Australia/Sydney|36000 39600|157pcB7cg0Af4g0B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0\
    Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B9xs0Acyo0B7s00Aeow0B7s00Aeow0B7s00Aeow0\
    B8n40Ade80B92o0Adts0B92o0Adts0B8n40Adts0B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00\
    Aeow0B9i80Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0A9i80Bcyo0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80\
    B92o0Ade80B9i80Acyo0B92o0Ade80B|10.1.0.7200.39600,4.1.0.10800.36000;Australia/Adelaide Australi\
    a/South|34200 37800|157r0B7cg0Af4g0B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0\
    B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B8n40Ade80B92o0Adts0B92o0\
    Adts0B8n40Adts0B8n40Adts0B7s00Aeow0B92o0Ade80B87k0Aeow0B8n40Adts0B92o0Ade80B9i80Acyo0B9i80Acyo0\
    B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B9i80Acyo0B92o0\
    Ade80B|10.1.0.7200.37800,4.1.0.10800.34200;Australia/Brisbane Australia/Queensland|36000 39600|\
    157pcB7cg0Ab2e80B7s00Aeow0B7s00Aeow0B7s00A|;Australia/Broken_Hill Australia/Yancowinna|34200 37\
    800|157r0B7cg0Af4g0B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00A\
    eow0B7s00Aeow0B9xs0Acyo0B7s00Aeow0B7s00Aeow0B7s00Aeow0B8n40Ade80B92o0Adts0B92o0Adts0B8n40Adts0B\
    7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0B9i80Acyo0B9i80Acyo0B9i80Acyo0B9i80A\
    de80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B9i80Acyo0B92o0Ade80B|10.1.0.72\
    00.37800,4.1.0.10800.34200;Australia/Currie Australia/Hobart Australia/Tasmania|39600 36000|41x\
    cBe9c0A8n40Be9c0A7cg0Bf4g0A7s00Beow0A7s00Beow0A7s00Beow0A87k0Beow0A7s00Beow0A7s00Beow0A7s00Beow\
    0A7s00Beow0A7s00Beow0A9i80Bde80A92o0Bde80A7s00Beow0A7s00Beow0A7s00Be9c0A92o0Bdts0A92o0Bdts0A8n4\
    0Bdts0A8n40Bdts0A9i80Bbo00Aasw0Bbo00Aasw0Bbo00Aasw0Bbo00Aasw0Bbo00Ab8g0Bbo00Aasw0Bbo00Aasw0Bbo0\
    0Aasw0Bbo00Aasw0B9i80Acyo0Bc3k0Aasw0Bbo00Aasw0Bbo00Aasw0Bbo00Aasw0Bbo00Ab8g0Bb8g0Aasw0Bc3k0A|10\
    .1.0.7200.39600,4.1.0.10800.36000;Australia/Darwin Australia/North|34200||;Australia/Eucla|3150\
    0 35100|30mhiB7s00A5fb40B7s00A4tpc0B6hc0A98ps0B6ww0Ade80B9i80Acyo0B9i80A|;Australia/LHI Austral\
    ia/Lord_Howe|36000 37800 39600 41400|6zn2oBep10D87goBeozcD7rwoBeozcD7rwoBeozcD7rwoBeozcC8n2cBde\
    9oC92mcBdttoC92mcBdttoC8n2cBdttoC7rycBeoxoC7rycBeoxoC7rycBeoxoC87icBeoxoC7rycBeoxoC7rycBeoxoC9i\
    6cBcypoC9i6cBcypoC9i6cBcypoC9i6cBde9oC92mcB9i9oCcymcBde9oC9i6cBcypoC9i6cBcypoC9i6cBde9oC92mcBde\
    9oC9i6cBcypoC92mcBde9oC|10.1.0.7200.39600,4.1.0.7200.37800;Australia/Lindeman|36000 39600|157pc\
    B7cg0Ab2e80B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00A|;Australia/Melbourne Australia/Victor\
    ia|36000 39600|157pcB7cg0Af4g0B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00\
    Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B8n40Ade80B92o0Ade80B9i80Adts0\
    B8n40Adts0B8n40Adts0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80\
    Acyo0B9i80Ade80B92o0A9i80Bcyo0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B9i80Acyo0B92o0Ade80\
    B|10.1.0.7200.39600,4.1.0.10800.36000;Australia/Perth Australia/West|28800 32400|30mk0B7s00A5fb\
    40B7s00A4tpc0B6hc0A98ps0B6ww0Ade80B9i80Acyo0B9i80A|;Chile/EasterIsland Pacific/Easter|-21600 -2\
    5200 -18000|5dm0Bc3ncA9i4oBcyrcA9i4oBdebcA92koBcj7cA9xooBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4\
    oBdebcA92koBdebcA92koBdebcA9i4oBcyrcAmgw0C9i4oAcyrcC9i4oAdebcC92koAdebcC92koAdebcCb8coAb8jcC9i4\
    oAcyrcC9i4oAdebcC92koAbo3cCassoAdebcC9i4oAcyrcC9i4oAcyrcC9i4oAcyrcC9i4oAdebcC92koAdebcCad8oAc3n\
    cC9i4oAc3ncCbnwoAbo3cC9i4oAdebcC92koAdebcC92koAdebcC92koAdebcC9i4oAcyrcC9i4oAcyrcC9i4oAdebcC92k\
    oAdebcCad8oAc3ncC9i4oAcyrcCassoAbo3cCcykoA6hfcCfjwoA7s3cCeosoA87ncCe98oA87ncC120soA5mbcCgukoA5m\
    bcCgukoA5mbcCeosoA9ibcCcykoA9ibcCcykoA9ibcCcykoA9xvcC|9.1.6.79200.-18000,4.1.6.79200.-21600;Etc\
    /GMT+1|-3600||;Etc/GMT+10 Pacific/Honolulu Pacific/Johnston Pacific/Tahiti US/Hawaii|-36000||;E\
    tc/GMT+11 Pacific/Midway Pacific/Niue Pacific/Pago_Pago Pacific/Samoa US/Samoa|-39600||;Etc/GMT\
    +12|-43200||;Etc/GMT+8|-28800||;Etc/GMT+9 Pacific/Gambier|-32400||;Etc/GMT-11 Pacific/Guadalcan\
    al Pacific/Pohnpei Pacific/Ponape|39600||;Etc/GMT-12 Pacific/Funafuti Pacific/Majuro Pacific/Ta\
    rawa Pacific/Wake Pacific/Wallis|43200||;Etc/GMT-13|46800||;Etc/GMT-14|50400||;Etc/GMT-5 Indian\
    /Kerguelen Indian/Maldives|18000||;Europe/Amsterdam Europe/Brussels Europe/Luxembourg|3600 7200\
    |4jircBasw0Abo00Bb8g0Ab8g0Bb8g0Abo00Basw0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g\
    0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g\
    0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Europe/Andorra|3600 7200|9jpfcBb8g0Ab8g0Bb8g0Ab8g0Bb8\
    g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.\
    7200.7200,10.5.0.10800.3600;Europe/Astrakhan|14400 10800 18000|71kioCbakoAb8jcCbakoAb8jcCbakoAb\
    arcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0AmgzcBb8g0Abo00Bb8g0Axpc0Bb8g0Ab8g0Bb8g0Ab8g0Bb\
    8g0Ab8g0Bbo00Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ad\
    e80B92o0Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0A28ssoBvz7cA|;Europe/Athens\
    |7200 10800|3ay1cBe2o0A8gmoBb8g0Aasw0Bav40Abls0BaszcAbok0Bb5hcAbf0oBb3woAb8tcBb8g0Ab8g0Bb8g0Ab8\
    g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8\
    g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.10800.10800,10.5.0.14400.7200;Europe/Belfast Europ\
    e/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London|3600 0|158moB8n40Adts0B8n40Adts0B8n40\
    Adts0B8n40Adts0B92o0Ade80B92o0Ade80B92o0Adts0B8n40Adts0B8n40Adts0B9i4oAcyo0B9i80Acyo0B9i80Acyo0\
    B9i80Ade80B9i80Acyo0B9i80Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80\
    Acyo0B9i80Acyo0B9i80Acyo0B9xs0A|3.5.0.3600.3600,10.5.0.7200.0;Europe/Belgrade Europe/Ljubljana\
     Europe/Podgorica Europe/Sarajevo Europe/Skopje Europe/Zagreb|3600 7200|8ac3cBb8g0Ab8g0Bbo00Ab8\
    g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8\
    g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Europe/Bratislava Europe/Prague|3600 7200|\
    5sgjcBb8g0Abo00Basw0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0\
    Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.72\
    00,10.5.0.10800.3600;Europe/Bucharest|7200 10800|5vwpcB7rwoAbo00BaszcAb8moBb8g0Ab8g0Bb8g0Ab8g0B\
    b8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab89cBb8g0Ab8g0Bb8g0A\
    b8g0Bb8g0Ab8g0Bb8coAb8jcBb8coAbo3cBcykoA9ilcB|3.5.0.10800.10800,10.5.0.14400.7200;Europe/Budape\
    st|3600 7200|6fcsoBasw0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8moBbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab\
    8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200\
    .7200,10.5.0.10800.3600;Europe/Busingen Europe/Vaduz Europe/Zurich|3600 7200|71ebcBb8g0Ab8g0Bb8\
    g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8\
    g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Europe/Chisinau E\
    urope/Tiraspol|10800 7200 14400|71km0CbakoAb8jcCbakoAb8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8\
    g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0C2l8oA92uoBb8g0Ab8g0Bb89cAb8coBb8jcAb8coBb8jcAb8coBb8jcAb8coBbo\
    3cAcykoB9ii0A|3.5.0.7200.10800,10.5.0.10800.7200;Europe/Dublin|3600 0|158moB8n40Adts0B8n40Adts0\
    B8n40Adts0B8n40Adts0B92o0Ade80B92o0Ade80B92o0Adts0B8n40Adts0B8n40Adts0B9i4oAcyo0B9i80Acyo0B9i80\
    Acyo0B9i80Ade80B9i80Acyo0B9i80Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0\
    B9i80Acyo0B9i80Acyo0B9i80Acyo0B9xs0A|10.5.0.7200.0,3.5.0.3600.3600;Europe/Gibraltar|3600 7200|7\
    nv7cBb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0B\
    b8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Europe/Hel\
    sinki Europe/Mariehamn|7200 10800|71e80Bb8g0Ab8g0Bb8g0Ab8jcBb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0A\
    b8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B\
    |3.5.0.10800.10800,10.5.0.14400.7200;Europe/Kaliningrad|10800 7200 14400|71km0CbakoAb8jcCbakoAb\
    8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0AmgzcBb8g0Abo00Bb8g0Ab8g0Bb8g0Ab8g0Bb\
    8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B9i80Ac\
    yo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0A28ssoB\
    |;Europe/Kiev Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye|10800 7200 14400|71km0CbakoAb8jcCba\
    koAb8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0C61ooAs3aoBb8g0Ab8\
    g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00AcyrcB|3.5.0.10800.10800,10.5.0.14400.7200;Europe/Kirov|14\
    400 10800 18000|71kioCbakoAb8jcCbakoAb8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g\
    0AmgzcBb8g0Abo00Bb8g0Axpc0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade8\
    0B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i8\
    0Acyo0B9i80Ade80B92o0A28ssoB|;Europe/Lisbon|3600 0 7200|47uo0Bb8g0Ab8g0Bbo3cAb8g0Bb8g0Ab8g0Bbo0\
    0Aasw0Bb8coAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00Bb8g0Ab8g0Bb8jcAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g\
    0Bb8g0Abo00Bb8g0Ab8g0Bb8g0Amgw0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Aomo0B|3.5.0.3600.3600,10.5.0.7200.0;Eu\
    rope/Madrid|3600 7200|2ojdcBaszcAbnwoBaszcAassoBb8jcAbnwoBaszcAbo6oBb8g0Ab8g0Bb8g0Abo00Basw0Ab8\
    g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo\
    00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Eu\
    rope/Malta|3600 7200|998oB7cg0Aeow0B7s00Af4g0B7s00Ab680Bb8g0Aclc0B94w0Adc6oB9i4oAcyrcB9i4oAcyrc\
    B9i4oAcyrcB9i4oAcyrcB9i4oAc5vcBaqkoAbo3cBb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0\
    Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00\
    B|3.5.0.7200.7200,10.5.0.10800.3600;Europe/Minsk|10800 7200 14400|71km0CbakoAb8jcCbakoAb8jcCbak\
    oAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0A19dfcBb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8\
    g0Bb8g0Ab8g0Bbo00Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i\
    80Ade80B92o0Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0A|;Europe/Monaco Europe\
    /Paris|3600 7200|3wm80Bb8coAbo6oBasw0Abo00Bb8g0Ab8g0Bb8g0Abo00Basw0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8\
    g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8\
    g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Europe/Moscow|10800 7200 14\
    400|71km0CbakoAb8jcCbakoAb8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0A\
    b8g0Cbo00AmgzcB6ww0A4bgoCb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Abo00Ccyo0A9i80Ccyo0A9i80Ccyo0A9i80C\
    de80A92o0Cde80A92o0Cde80A9i80Ccyo0A9i80Ccyo0A9i80Cde80A92o0Cde80A92o0Cde80A92o0Cde80A9i80Ccyo0A\
    9i80Ccyo0A9i80Cde80A92o0C28ssoA|;Europe/Riga|10800 7200 14400|71km0CbakoAb8jcCbakoAb8jcCbakoAba\
    rcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0AmgzcBb8g0Abo00Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8\
    g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8jcAcyo0B9i80Acyo0B9i80Ade80Bvjk0A|3.5.0.10800.10800,10.5.0.14400.\
    7200;Europe/Rome Europe/San_Marino Europe/Vatican|3600 7200|998oB7cg0Aeow0B7s00Af4g0B7s00Af4g0B\
    7cg0Aeow0B7s00Af4g0B7cg0Af4g0B7cg0Aeow0B7s00Af4g0B7s00Aeow0B7s00Abo6oBasw0Ab8g0Bb8g0Ab8g0Bb8g0A\
    b8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0B\
    b8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Europe/Samara|14400\
     10800 18000|71kioCbakoAb8jcCbakoAb8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Am\
    gzcBb8g0Abo00BnrncA9xlcCb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Abo00Ccyo0A9i80Ccyo0A9i80Ccyo0A9i80Cd\
    e80A92o0Cde80A92o0Cde80A9i80Ccyo0A9i80Ccyo0A9i80Cde80A92o0Cde80A92o0Cde80A92o0Cde80A9i80Ccyo0A9\
    i80Ccyo0AmwjcB92o0A|;Europe/Saratov|14400 10800 18000|71kioCbakoAb8jcCbakoAb8jcCbakoAbarcCb8moA\
    b8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0AmgzcBb8g0Ab8g0Bb8g0Abo00Bb8g0Axpc0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0B\
    bo00Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0A\
    de80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0A28ssoB1bj7cA|;Europe/Simferopol|108\
    00 7200 14400|71km0CbakoAb8jcCbakoAb8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0A\
    b8g0Cb8g0Aha80B13bncAb8g0Bb8g0Ab8g0Bb8g0A25i0C92uoAb8g0Cb8g0AbntcCcyy0AmgzcB9i80Acyo0B9i80Ade80\
    B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80\
    Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i4oCcyhcA|;Europe/Sofia|7200 10800|5sg60BbarcAbl\
    ooBav7cAblooBat2oAbntcBat60Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8\
    g0Ab8g0Bbo00Ab89cBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAbo3cBcykoA9ilcB|3.5.0.10800.1080\
    0,10.5.0.14400.7200;Europe/Tallinn|10800 7200 14400|71km0CbakoAb8jcCbakoAb8jcCbakoAbarcCb8moAb8\
    g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0AmgzcBb8g0Abo00Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8\
    g0Ab8g0Bbo00Acyo0B9i80Acyo0B9i80AcyrcB9i80Ade80B1ig00A|3.5.0.10800.10800,10.5.0.14400.7200;Euro\
    pe/Tirane|3600 7200|2prwoB9bgoAd0zcB9i4oAd5fcB9i4oAdebcB92koAdc3cB94soAdc3cB94soAdc3cB9i4oAclfc\
    B9i4oAdebcB9i4oAc5vcBa8soAbarcBb8moAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00\
    Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.3600;Euro\
    pe/Ulyanovsk|14400 7200 10800 18000|71kioDbakoAb8jcDbakoAb8jcDbakoAbarcDb8moAb8g0Db8g0Ab8g0Db8g\
    0Ab8g0Db8g0Ab8g0Db8g0AmgzcCb8g0Abo00CmgzcB6ww0C4bgoAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cbo00Acyo\
    0C9i80Acyo0C9i80Acyo0C9i80Ade80C92o0Ade80C92o0Ade80C9i80Acyo0C9i80Acyo0C9i80Ade80C92o0Ade80C92o\
    0Ade80C92o0Ade80C9i80Acyo0C9i80Acyo0C9i80Ade80C92o0A28ssoCvz7cA|;Europe/Vienna|3600 7200|6fcsoB\
    assoAb8q0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0A\
    b8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.10800.\
    3600;Europe/Vilnius|10800 3600 7200 14400|71km0DbakoAb8jcDbakoAb8jcDbakoAbarcDb8moAb8g0Db8g0Ab8\
    g0Db8g0Ab8g0Db8g0Ab8g0Db8g0AmgzcCb8g0Abo00Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0Ab8g0Cbo\
    00Acyo0C9i80Acyo0CmgzcB9i80C2ib40A|3.5.0.10800.10800,10.5.0.14400.7200;Europe/Volgograd|14400 1\
    0800 18000|71kioCbakoAb8jcCbakoAb8jcCbakoAbarcCb8moAb8g0Cb8g0Ab8g0Cb8g0Ab8g0Cb8g0AmgzcBb8g0Ab8g\
    0Bb8g0Abo00Bb8g0Axpc0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Acyo0B9i80Acyo0B9i80Acyo0B9i80Ade80B92o\
    0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo0B9i80Ade80B92o0Ade80B92o0Ade80B92o0Ade80B9i80Acyo0B9i80Acyo\
    0B9i80Ade80B92o0A28ssoB2ib7cA1ctooB|;Europe/Warsaw|3600 7200|4jio0Basw0Abo00Bb8g0Ab8g0Bb8g0Abo0\
    0Basw0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8jcBb8g0Ab8g0Bb8g\
    0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00B|3.5.0.7200.7200,10.5.0.1080\
    0.3600;Indian/Chagos|18000 21600|ga5rcB|;Indian/Mauritius|14400 18000|7zyaoB9zwoAg18a0B9i4oA|;P\
    acific/Apia|-39600 -36000 46800 50400|pif8oBbm20Aasw0B5z6oD5otcCb8g0Dbo00Casw0Dbo00Casw0Dbo00Ca\
    sw0Dbo00Casw0Dbo00Casw0Dbo00Cb8g0Dbo00Casw0Dbo00Casw0Dbo00C|;Pacific/Bougainville|36000 39600|s\
    6atcB|;Pacific/Chatham|45900 49500|311qoB6ww0Af4g0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00\
    Aeow0B7s00Aeow0B87k0Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B7s00Aeow0B87k0Aeow0B7s00Ade80\
    B9xs0Acj40B9xs0Acj40B9xs0Acj40Badc0Ac3k0Badc0Ac3k0Badc0Ac3k0Badc0Acj40B9xs0Acj40B9xs0Acj40Badc0\
    Ac3k0Badc0Ac3k0Badc0Acj40B9xs0Acj40B9xs0Acj40Badc0Ac3k0Badc0Ac3k0Badc0Ac3k0Badc0Ac3k0B|9.5.0.99\
    00.49500,4.1.0.13500.45900;Pacific/Efate|39600 43200|2hlk0B61s0A5xw3cBb8coAb8jcBb8coAbo3cBassoA\
    bo3cBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAbo3cB7ccoAgurcB5m4oA|;Pacific/Enderbury Pacif\
    ic/Kanton|-43200 -39600 46800|63s80B9jtooC|;Pacific/Fakaofo|-39600 46800|qatgoB|;Pacific/Fiji|4\
    3200 46800|i21aoB7cg0Afk00B6ww0A63xs0B7cg0Acyo0B87k0Ae9c0B5m80Aguo0B5m80Aha80B56koAhpvcB4r40Ahp\
    s0B4r40Ai5c0B4bk0Ai5c0B4bk0Ai5c0B4bk0Aikw0B3w00Al680B1q80A|;Pacific/Galapagos|-18000 -21600|a0r\
    4oB4bqrcA498oB|;Pacific/Guam Pacific/Saipan|36000 39600|72tcB87goAe9fcB87goA1ff7cB4bgoA1eqrcB5f\
    gqAf4jaB7rwoA|;Pacific/Kiritimati|-38400 -36000 50400|63s3kB9jtpsC|;Pacific/Kosrae|43200 39600|\
    i5so0B|;Pacific/Kwajalein|-43200 43200|esxk0B|;Pacific/Marquesas|-34200||;Pacific/Nauru|41400 4\
    3200|5pcgcB|;Pacific/Norfolk|41400 39600 43200 45000|30m8cD7s00Apf6o0B2ib5oC|10.1.0.7200.43200,\
    4.1.0.10800.39600;Pacific/Noumea|39600 43200|4ym3cB58soAh83cB5b0oAb4fu0B5m80A|;Pacific/Pitcairn\
    |-30600 -28800|hqh8cB|;Pacific/Rarotonga|-37800 -36000 -34200|5jub0C6wsoBeoxoC7rycBeoxoC7rycBeo\
    xoC87icBeoxoC7rycBeoxoC7rycBeoxoC7rycBeoxoC7rycBeoxoC7rycBeoxoC87icBeoxoC7rycBeoxoC7rycBeoxoC7r\
    ycB|;Pacific/Tongatapu|46800 50400|in0rcBa4g0Ae9c0B56koAhabcB56koA995fcB4bk0A|
    """
}
