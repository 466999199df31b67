extension ZoneTable {
  /// America's zones.
  static let america = """
    America/Adak America/Atka US/Aleutian|-39600 -36000 -32400|74rcBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb\
    8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAa\
    szcBmwcoCb8coBb8jcCb8coBb8jcCb8coB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9\
    xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCc\
    j0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB|3.2.0.7200.-32400,11.1.0.7200.-36000;America/Ancho\
    rage US/Alaska|-36000 -32400 -28800|74o0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4co\
    Ab8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBmwcoCb8coBb8jcCb8co\
    Bb8jcCb8coB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibc\
    CcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcyko\
    B9ibcCcykoB9ibcCcykoB|3.2.0.7200.-28800,11.1.0.7200.-32400;America/Anguilla America/Antigua Ame\
    rica/Aruba America/Blanc-Sablon America/Curacao America/Dominica America/Grenada America/Guadel\
    oupe America/Kralendijk America/La_Paz America/Lower_Princes America/Marigot America/Montserrat\
     America/Port_of_Spain America/Puerto_Rico America/St_Barthelemy America/St_Kitts America/St_Lu\
    cia America/St_Thomas America/St_Vincent America/Tortola America/Virgin Etc/GMT+4|-14400||;Amer\
    ica/Araguaina|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoA3jwjcB7ccoAeozcB8\
    7goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oA627ncB7ccoA|;America/Argentina/\
    Buenos_Aires America/Buenos_Aires|-10800 -7200|2jju0B61ooA94w3cB5ssoAdtvcB8n0oAe9fcB87goAe9fcB8\
    7goAe9fcB8n0oA9a0jcB4r0oAdebcB92koA|;America/Argentina/Catamarca America/Argentina/ComodRivadav\
    ia America/Catamarca|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goBe9ioC87dcAe9\
    fcC8n0oA71c3cB16bcA27i4oC4r0oA|;America/Argentina/Cordoba America/Cordoba America/Rosario|-1080\
    0 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goBe9ioC87dcAe9fcC8n0oA9a0jcC4r0oAdebcC92\
    koA|;America/Argentina/Jujuy America/Jujuy|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oB\
    ep2oA8n0oBcj7cC92hcAe9fcC8n0oA9a0jcC4r0oA|;America/Argentina/La_Rioja|-10800 -14400 -7200|2jju0\
    C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC830oB452oAa8soC87goAe9fcC8n0oA71c3cB16bcA27i4oC4r0oA|;America/A\
    rgentina/Mendoza America/Mendoza|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oBdw6oA8gcoB\
    e2rcA8ikoBe9fcC8mxcA70s3cB7s3cA21gcoC4r0oA|;America/Argentina/Rio_Gallegos|-10800 -14400 -7200|\
    2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goAe9fcC87goAe9fcC8n0oA71c3cB16bcA27i4oC4r0oA|;America/A\
    rgentina/Salta|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goBe9ioC87dcAe9fcC8n0\
    oA9a0jcC4r0oA|;America/Argentina/San_Juan|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe\
    9fcC830oB452oAa8soC87goAe9fcC8n0oA719vcB3ebcA25ccoC4r0oA|;America/Argentina/San_Luis|-10800 -14\
    400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC998oBd9yoA8gcoB5ojcA8530oB3ebcA25ccoC1csoA2yrcBdebcA92koBd\
    ebcA|;America/Argentina/Tucuman|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goBe\
    9ioC87dcAe9fcC8n0oA71c3cBqrcA27xooC4r0oAdebcC92koA|;America/Argentina/Ushuaia|-10800 -14400 -72\
    00|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goAe9fcC87goAe9fcC8n0oA717ncB1arcA27i4oC4r0oA|;Americ\
    a/Asuncion|-14400 -10800|1pzhcBxrgoAxtvcB9dooAd7ncB9bgoAd7ncB9bgoAd7ncBb8coAbarcBbakoAbarcBb8co\
    AbarcBb8coAbarcBb8coAbarcBbakoAbarcBb8coAbarcBb8coAbarcBb8coAbarcBbakoAbarcBb8coAclfcB9xooAbarc\
    Bb8coAblvcB92koAdgjcBax8oAbczcB970oAdc3cB94soAdebcB9dooAdircB8n0oAdtvcB92koAdebcB9i4oAcyrcB9i4o\
    AcyrcB9i4oAdebcBb8coA92rcBde4oA9ibcBcykoAc3ncB92koAdebcB92koAdebcB92koAdtvcB8n0oAdtvcB8n0oAdtvc\
    BassoAaszcBbnwoAaszcBbnwoAb8jcBad8oAc3ncBad8oAc3ncBad8oAc3ncBassoAbo3cBassoAbo3cBassoAc3ncBad8o\
    Ac3ncBad8oAc3ncBassoAbo3cBassoAbo3cBassoAbo3cBassoAc3ncB|;America/Atikokan America/Cayman Ameri\
    ca/Coral_Harbour America/Panama Etc/GMT+5|-18000||;America/Bahia|-10800 -7200|9x1m0B87goAdtvcB6\
    wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoAfk3cB7ccoAf4jcB6wsoAfzncB61ooAfzncB7rwoAeozcB7rwoAeozcB7ccoAe\
    ozcB87goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oA5fb7cB87goA|;America/Bahia\
    _Banderas|-25200 -21600 -18000|gg6m0Bcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3\
    cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcCcyhcB9ibcCcyk\
    oB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xv\
    cCcykoB9ibcCcykoB|;America/Barbados|-14400 -10800|4nus0B6wsoAc3ncBad8oAc3ncBad8oAcj7cB9r0oA|;Am\
    erica/Belem|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oA|;America/Belize|-21600 -18000|2gj80B42\
    koA5jmrcB3gcoA|;America/Boa_Vista|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oA7apvcB92koAdtvcB\
    fgoA|;America/Bogota|-18000 -14400|dzlcoBha4oA|;America/Boise|-25200 -21600|74e0Bb8coAb8jcBbnwo\
    Ab8jcBb8coAb8jcBb8coA61vcBgf0oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jc\
    Bb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcyko\
    A9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibc\
    BcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-21600,11.1.0.720\
    0.-25200;America/Cambridge_Bay|-25200 -21600 -18000|1ghq0Bb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8\
    jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8\
    coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9i\
    bcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBmgsoCddy0Bm1m0A9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcy\
    koA9ibcBcykoA|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Campo_Grande|-14400 -10800|9x1pcB87g\
    oAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoAfk3cB7ccoAf4jcB6wsoAfzncB61ooAfzncB7rwoAeozcB7rwoAeoz\
    cB7ccoAeozcB87goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oAf4jcB7ccoAg43cB6sc\
    oAeozcB7rwoAfzncB6wsoAe9fcB7rwoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB87goAeozcB7ccoAf4jcB7ccoAf4j\
    cB7rwoAeozcB7rwoAeozcB7rwoAeozcB7rwoAfzncB6h8oA|;America/Cancun|-21600 -18000 -14400|7i7eoBn2u0\
    A8awa0Bcj0oA9xvcBmgsoC7ccoB56rcA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ib\
    cBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0\
    oA61vcB|;America/Caracas|-14400 -16200|nrbrcB599c0A|;America/Cayenne Etc/GMT+3|-10800||;America\
    /Chicago US/Central|-21600 -18000|74aoBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb\
    8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb\
    8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9\
    ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBc\
    ykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-18000,11.1.0.7200.-21600;America/Chihuahua|-21600 -25200 -\
    18000|gg6ioCcj0oA9xvcCcj0oAmgzcB9xvcAcykoB9ibcAcykoBbo3cA92koBbo3cAcj0oB9xvcAcj0oB9xvcAcykoB9ib\
    cAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0\
    oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcA|;America/Ciudad_J\
    uarez|-21600 -25200 -18000|gg6ioCcj0oA9xvcCcj0oAmgzcB9xvcAcykoB9ibcAcykoBbo3cA92koBbo3cAcj0oB9x\
    vcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB8n7cAeosoB7s3cAeosoB7s3cAeo\
    soB7s3cAeosoB7s3cAeosoB7s3cAeosoB87ncAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB87ncAeosoB7s\
    3cAg5y0B|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Costa_Rica|-21600 -18000|5qb80B61ooAgf7cB\
    61ooA6nr7cBa24oAcercB3ikoA|;America/Coyhaique|-10800 -14400|5dm0Bc3ncA9i4oBcyrcA9i4oBdebcA92koB\
    cj7cA9xooBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA\
    9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcAb8coBb8jcA9i4oBcyrcA9i4oBdebcA92koBbo3cAassoBdebcA9i4oB\
    cyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBc3ncAbnwoBbo3cA9i4oBdebcA92koBdebcA\
    92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBcyrcAassoBbo3cAcykoB\
    6hfcAfjwoB7s3cAeosoB87ncAe98oB87ncA120soB5mbcAgukoB5mbcAgukoB5mbcAeosoB9ibcAcykoB9ibcAcykoB9ibc\
    AcykoB9xvcAcj0oB9ibcAde4oB9ibcA|;America/Creston America/Phoenix Etc/GMT+7 US/Arizona|-25200||;\
    America/Cuiaba|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoAfk3cB7ccoAf4jcB\
    6wsoAfzncB61ooAfzncB7rwoAeozcB7rwoAeozcB7ccoAeozcB87goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goA\
    eozcB7rwoAfzncB6h8oA12kzcB6scoAeozcB7rwoAfzncB6wsoAe9fcB7rwoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozc\
    B87goAeozcB7ccoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB7rwoAeozcB7rwoAfzncB6h8oA|;America/Danmarksh\
    avn|-10800 -7200 0|6fdcoBasioAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0B\
    b8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0A646oC|;Ame\
    rica/Dawson|-32400 -28800 -25200|2e720B42hfcCb8coBb8jcCb8coBb8jcCbnwoBaszcCbnwoBb8jcCb8coBb8jcC\
    b8coBb8jcCb8coB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB\
    9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcC\
    cykoB9ibcCcykoB9ibcCcykoB87ncCeosoB7s3cCeosoB7s3cCeosoB87ncCeosoB7s3cCeosoB7s3cCeosoB7s3cCeosoB\
    7s3cCeosoB7s3cCeosoB87ncCeosoB7s3cCeosoB7s3cCeosoB7s3cCeosoB7s3cC|;America/Dawson_Creek|-28800\
     -25200|74hcBb8coAb8jcBbnwoAb8jcB|;America/Denver America/Shiprock US/Mountain|-25200 -21600|74\
    e0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8\
    coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9i\
    bcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj\
    0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.\
    -21600,11.1.0.7200.-25200;America/Detroit US/Michigan|-18000 -14400|22yfcBb8coA4bncBi58oAb8jcBb\
    8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb\
    8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBc\
    ykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9\
    xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Edmonton America/Yel\
    lowknife Canada/Mountain|-25200 -21600|1ghq0Bb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcB\
    bnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA\
    9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcB\
    cj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA\
    9ibcBcykoA|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Eirunepe|-18000 -14400|9x1soB87goAdtvcB\
    6wsoAfmbcB6h8oA3kc3cB7rwoA8zc3cB3dakoA|;America/El_Salvador|-21600 -18000|autg0B92koAdebcB92koA\
    |;America/Ensenada America/Santa_Isabel America/Tijuana Mexico/BajaNorte|-28800 -25200|3yddcBbn\
    woAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8\
    jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcy\
    koA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9i\
    bcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA|3.2.0.7200.-25200,11.1.0.7200.-28800;America/F\
    ort_Nelson|-28800 -25200|74hcBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoA\
    aszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcB\
    b8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA\
    9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcB\
    cykoA9ibcBcykoA87ncBeosoA7s3cBeosoA7s3cBeosoA87ncBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA\
    7s3cB|;America/Fort_Wayne America/Indiana/Indianapolis America/Indianapolis US/East-Indiana|-18\
    000 -14400|747cBb8coAm6ybcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Fortaleza|-10800\
     -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoA61cjcB92koAdtvcBv0oAm1fcB7rwoA|;Ameri\
    ca/Glace_Bay|-14400 -10800|1ghg0Bb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8\
    coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9x\
    vcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj\
    0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3\
    .2.0.7200.-10800,11.1.0.7200.-14400;America/Godthab America/Nuuk|-10800 -7200|6fdcoBasioAb8g0Bb\
    8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab\
    8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Abo00Bcyo0A9i80Bcyo0A9i80Bcyo0A9i80Bde80A92o0Bd\
    e80A92o0Bde80A9i80Bcyo0A9i80Bcyo0A9i80Bde80A92o0Bde80A92o0Bde80A92o0Bde80A9i80Bcyo0A9i80Bcyo0A9\
    i80Bde80A92o0Bde80A92o0Bde80A9i80Bcyo0A9i80Bcyo0A9i80Bcyo0A9i80Bde80A92o0Bde80A92o0Bde80A9i80Bc\
    yo0A9i80Bcyo0A9i80Bde80A92o0Bde80A92o0B|3.5.0.-3600.-3600,10.5.0.0.-7200;America/Goose_Bay|-144\
    00 -10800 -7200|7440Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwo\
    Ab8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xoq\
    Bcj0oA9xvcCcyhcA9ieoBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0o\
    A9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibc\
    BcykoA87ncBeosoA7s3cBeosoA7s3cBeosoA87ncBeosoA7s3cB|3.2.0.7200.-10800,11.1.0.7200.-14400;Americ\
    a/Grand_Turk|-18000 -14400|5u7bcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8\
    coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9i\
    bcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcy\
    koA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Guatemala|-21600 -18000|2f\
    x00B5m4oA5s7ncB7ngoA4p2rcBad8oA966rcB9i4oA|;America/Guayaquil|-18000 -14400|echsoB498oA|;Americ\
    a/Guyana|-13500 -14400 -10800|3ht8iCafm8uB|;America/Halifax Canada/Atlantic|-14400 -10800|7440B\
    b8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coA\
    b8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcB\
    cykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA\
    9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-10\
    800,11.1.0.7200.-14400;America/Havana|-18000 -14400|740oBb8coAb8jcBbnwoAb8jcB9xooAcj7cB9zwoAcgz\
    cBa24oAcercBb8coAb8jcBbnwoAaszcBbnwoAbo3cB9i4oA9xvcBcykoA9ibcBcykoAcyrcB9i4oAcyrcB9i4oAcyrcB9i4\
    oAcyrcB9xooAcj7cB9xooA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oAaszcBc3goAaszcBbo00Aasw0Bbo00Aasw\
    0Bbo00Aasw0Bbo00Aasw0Bbo00Ab8g0Bb8g0Ab8g0Bbo00Aadc0Bcyo0A9i80Bde80A9i80Bcyo0A9i80Bcyo0A9xs0Bcj4\
    0A9xs0Bcj40A9i80B1mc00A87k0Be9c0A8n40Bdts0A87k0Be9c0A8n40Be9c0A8n40Beow0A8n40B|3.2.0.0.-14400,1\
    1.1.0.3600.-18000;America/Hermosillo|-25200 -21600|gg6m0Bcj0oA9xvcBcj0oA9xvcBcj0oA|;America/Ind\
    iana/Knox America/Knox_IN US/Indiana-Starke|-21600 -18000|74aoBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8\
    coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAas\
    zcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcB9qv0oA|3.2.0\
    .7200.-18000,11.1.0.7200.-21600;America/Indiana/Marengo|-18000 -14400|747cBb8coAb8jcBbnwoAb8jcB\
    b8coAb8jcBb8coAttfcBf4coAj26bcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Indiana/Peter\
    sburg|-21600 -18000|74aoBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcB\
    ihfgoA87ncB|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Indiana/Tell_City|-18000 -21600 -14400\
    |747cCb8coAmjwzcB|3.2.0.7200.-18000,11.1.0.7200.-21600;America/Indiana/Vevay|-18000 -14400|747c\
    Bb8coAb8jcBbnwoAb8jcBb8coAkxkzcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Indiana/Vinc\
    ennes|-18000 -21600 -14400|747cCb8coAmjwzcB87ncA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/I\
    ndiana/Winamac|-18000 -21600 -14400|747cCb8coAmjwzcB87ncC|3.2.0.7200.-14400,11.1.0.7200.-18000;\
    America/Inuvik|-28800 -25200 -21600|1ghtcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnw\
    oAb8jcBb8coAb8jcCb89cBb8jcCb8coBb8jcCb8coBb8jcCbnwoBaszcCbnwoBb8jcCb8coBb8jcCb8coBb8jcCb8coB9xv\
    cCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0\
    oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ib\
    cCcykoB|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Iqaluit America/Pangnirtung|-18000 -21600\
     -14400|1ghjcCb8coAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCbnwoAaszcCbnwoAb8jcCb8coAb8jcCb8coAb8jcCb\
    8coAb8jcCb8coAb8jcCbnwoAaszcCbnwoAb8jcCb8coAb8jcCb8coAb8jcCb8coA9xvcCcj0oA9xvcCcykoA9ibcCcykoA9\
    ibcCcykoA9xvcCcj0oA9xvcCcj0oA9xvcCcykoA9ibcCcykoA9ibcCcykoA9xvcCcj0oA9xvcCcj0oA9xvcCcj0oA9xvcCc\
    ykoB9ieoAmgsoCcykoA9xvcCcj0oA9xvcCcj0oA9xvcCcykoA9ibcCcykoA9ibcCcykoA|3.2.0.7200.-14400,11.1.0.\
    7200.-18000;America/Jamaica|-18000 -14400|2iifcBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8\
    jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoA|;America/Juneau|-28800 -32400 -25200|74hcCb8co\
    Ab8jcCbnwoAb8jcCb8coAb8jcCb8coA4bncCi58oA7cjcCf4coAb8jcCbnwoAaszcCbnwoAb8jcCb8coAb8jcCb8coAxpfc\
    Cb8coAb8jcCbnwoAaszcCbnwoBb8moAb8coBb8jcAb8coBb8jcAb8coB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcyko\
    B9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibc\
    AcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB|3.2.0.7200.-28800,11.1.0.720\
    0.-32400;America/Kentucky/Louisville America/Louisville|-18000 -14400|747cBb8coAb8jcBbnwoAb8jcB\
    b8coAb8jcBb8coAttfcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoA\
    aszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcB\
    cj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA\
    9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America\
    /Kentucky/Monticello|-21600 -18000 -14400|74aoBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cj\
    cBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8c\
    oAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ib\
    cBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBmgsoCcykoB9xvcCcj0oB9xvcCcj0oB9xv\
    cCcykoB9ibcCcykoB9ibcCcykoB|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Lima|-18000 -14400|a0r\
    4oB5jwoAgz7cB5jwoA1q3ncB5jwoA2cmrcB5jwoA|;America/Los_Angeles US/Pacific|-28800 -25200|74hcBb8c\
    oAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8j\
    cBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcyk\
    oA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xv\
    cBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-25200\
    ,11.1.0.7200.-28800;America/Maceio|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7\
    ccoA3jwjcB7ccoA2a3ncB92koAdtvcBv0oAm1fcB7rwoA|;America/Managua|-21600 -18000|232s0B14hooA2k1fcB\
    63woAgczcB63woA77tsoBggvcA643cB2i6koA56hfcBassoAcyy0B9i1cA|;America/Manaus Brazil/West|-14400 -\
    10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oA3kc3cB7rwoA|;America/Martinique|-14400 -10800|6fd9cBassoA|\
    ;America/Matamoros|-21600 -18000|bfkaoBcykoA4nnncBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA\
    bo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA|3.2.\
    0.7200.-18000,11.1.0.7200.-21600;America/Mazatlan Mexico/BajaSur|-25200 -21600|gg6m0Bcj0oA9xvcB\
    cj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA\
    9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcB\
    cykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA|;America/Menominee|-18000 -21\
    600|2e6vcB4bncAi58oB7cjcAf4coBb8jcAbnwoBaszcAbnwoBb8jcAb8coBb8jcAb8coBb8jcAb8coBb8jcAb8coBb8jcA\
    bnwoBaszcAbnwoBb8jcAb8coBb8jcAb8coBb8jcAb8coB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB\
    9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcA\
    cykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB|3.2.0.7200.-18000,11.1.0.7200.-21600;Am\
    erica/Merida|-21600 -18000|7i7eoBj70oA8es3cBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB9\
    2koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9\
    ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBc\
    j0oA9xvcBcykoA9ibcBcykoA|;America/Metlakatla|-28800 -32400 -25200|74hcCb8coAb8jcCbnwoAb8jcCb8co\
    Ab8jcCb8coA4bncCi58oA7cjcCf4coAb8jcCbnwoAaszcCbnwoAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jc\
    CbnwoAaszcCbnwoAk1lvcB87ncAeosoB7s3cAeosoB7s3cAjfwoB|3.2.0.7200.-28800,11.1.0.7200.-32400;Ameri\
    ca/Mexico_City Mexico/General|-21600 -18000|gg6ioBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA\
    bo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcB\
    cykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA\
    9xvcBcj0oA9xvcBcykoA9ibcBcykoA|;America/Miquelon|-14400 -10800 -7200|6gwtcB4c6bcCcj0oB9xvcCcyko\
    B9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvc\
    Ccj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB|3.2.0.72\
    00.-7200,11.1.0.7200.-10800;America/Moncton|-14400 -10800|7440Bb8coAb8jcBbnwoAb8jcBb8coAxpfcBb8\
    coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8\
    jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xoqBcy\
    koA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9x\
    vcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-10800,11.1.0.7200.-14400;America/Monterrey|-\
    21600 -18000|bfkaoBcykoA4nnncBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA\
    9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcB\
    cykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA\
    9ibcBcykoA|;America/Montevideo|-10800 -9000 -7200 -5400|71m0C330oA15wzcC56koAxpfcD3gb0BaszcA6wx\
    oC61ooA12w3cC4r0oAgurcC5m4oAhpvcC4r0oA3gjcCjvgoA4umrcC4osoAhpvcC56koAeozcC7ccoAeozcC87goAeozcC7\
    rwoAe9fcC87goA78k3cCbo3cAc3ncC9i4oAcj7cC9xooAcyrcC9i4oAcyrcC9i4oAcyrcC9xooAcj7cC9xooAcj7cC9xooA\
    cyrcC9i4oAcyrcC9i4oAcyrcC9i4oA|;America/Montreal America/Nassau America/Nipigon America/Thunder\
    _Bay America/Toronto Canada/Eastern|-18000 -14400|747cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcB\
    b8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoA\
    b8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcB\
    cykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA\
    9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/New_York\
     US/Eastern|-18000 -14400|747cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwo\
    AaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jc\
    Bb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcyko\
    A9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibc\
    BcykoA9ibcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Nome|-39600 -36000 -32400 -28800|\
    74rcBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcB\
    b8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoCb8coDb8coCb8jcDb8coCb8jcDb8coC9xvcDcj0oC9xvcDcykoC\
    9ibcDcykoC9ibcDcykoC9xvcDcj0oC9xvcDcj0oC9xvcDcykoC9ibcDcykoC9ibcDcykoC9xvcDcj0oC9xvcDcj0oC9xvcD\
    cj0oC9xvcDcykoC9ibcDcykoC9ibcDcykoC9xvcDcj0oC9xvcDcj0oC9xvcDcykoC9ibcDcykoC9ibcDcykoC|3.2.0.720\
    0.-28800,11.1.0.7200.-32400;America/Noronha Brazil/DeNoronha|-7200 -3600|9x1ioB87goAdtvcB6wsoAf\
    mbcB6h8oAfk3cB6h8oAfzncB7ccoA61cjcB92koAdtvcBfgoAmgzcB7rwoA|;America/North_Dakota/Beulah|-25200\
     -21600|74e0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8\
    coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9x\
    vcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj\
    0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87\
    ncBeosoA7s3cBeosoA7s3cBeosoA87ncB|3.2.0.7200.-18000,11.1.0.7200.-21600;America/North_Dakota/Cen\
    ter|-25200 -21600 -18000|74e0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoA\
    aszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcB\
    b8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBmgsoCcykoB9ibcCcykoB9ibcCcykoB9xvcC\
    cj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB\
    9ibcCcykoB|3.2.0.7200.-18000,11.1.0.7200.-21600;America/North_Dakota/New_Salem|-25200 -21600 -1\
    8000|74e0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coA\
    b8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcB\
    cykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA\
    9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBmgsoCcykoB9ibcCcykoB9ibcCcykoB|3.2.0.720\
    0.-18000,11.1.0.7200.-21600;America/Ojinaga|-21600 -25200 -18000|gg6ioCcj0oA9xvcCcj0oAmgzcB9xvc\
    AcykoB9ibcAcykoBbo3cA92koBbo3cAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0o\
    B9xvcAcj0oB8n7cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB87ncAeosoB7s3cAeosoB7s3c\
    AeosoB7s3cAeosoB7s3cAeosoB87ncAeosoB7s3cA|3.2.0.7200.-18000,11.1.0.7200.-21600;America/Paramari\
    bo|-12600 -10800|98jfoB|;America/Port-au-Prince|-18000 -14400|8cxsoBassoAb8jcBb8coAb8jcBb8coAb8\
    jcBb8coAb8jcBb8coA9xyoBcyo0A9i80Bcyo0A9i80Bcyo0A9xs0Bcj40A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80Bcy\
    o0A9xs0Bcj40A9xs0Bcj40A4nngoBcykoA9ibcBcykoA|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Porto\
    _Acre America/Rio_Branco Brazil/Acre|-18000 -14400|9x1soB87goAdtvcB6wsoAfmbcB6h8oAcrg3cB3dakoA|\
    ;America/Porto_Velho|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oA|;America/Punta_Arenas|-10800\
     -14400|5dm0Bc3ncA9i4oBcyrcA9i4oBdebcA92koBcj7cA9xooBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBde\
    bcA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcAb8coBb8jcA9i\
    4oBcyrcA9i4oBdebcA92koBbo3cAassoBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3\
    ncA9i4oBc3ncAbnwoBbo3cA9i4oBdebcA92koBdebcA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92\
    koBdebcAad8oBc3ncA9i4oBcyrcAassoBbo3cAcykoB6hfcAfjwoB7s3cAeosoB87ncAe98oB87ncA120soB5mbcA|;Amer\
    ica/Rainy_River America/Winnipeg Canada/Central|-21600 -18000|74aoBb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g\
    0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Aasw0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo0\
    0Aasw0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80Bcyo0A9xs0Bcj40A9xs\
    0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80Bcyo0A9xs0Bcj40A9xs0Bcj40A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80Bcyo\
    0A9xs0Bcj40A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80BcykoA|3.2.0.7200.-18000,11.1.0.7200.-21600;Ameri\
    ca/Rankin_Inlet|-21600 -18000|1ghmoBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jc\
    Bb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0o\
    A9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvc\
    Bcj0oA9xvcBcj0oA9xvcBcykoA9ibcBzfgoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.72\
    00.-18000,11.1.0.7200.-21600;America/Recife|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h\
    8oAfzncB7ccoA61cjcB92koAdtvcBfgoAmgzcB7rwoA|;America/Regina Canada/Saskatchewan Etc/GMT+6|-2160\
    0||;America/Resolute|-21600 -18000|1ghmoBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwo\
    Ab8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvc\
    Bcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0o\
    A9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBzfgoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcB|3.2.0.72\
    00.-18000,11.1.0.7200.-21600;America/Santarem|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oAcrg3\
    cB|;America/Santiago Chile/Continental|-10800 -14400|5dm0Bc3ncA9i4oBcyrcA9i4oBdebcA92koBcj7cA9x\
    ooBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBcy\
    rcA9i4oBdebcA92koBdebcA92koBdebcAb8coBb8jcA9i4oBcyrcA9i4oBdebcA92koBbo3cAassoBdebcA9i4oBcyrcA9i\
    4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBc3ncAbnwoBbo3cA9i4oBdebcA92koBdebcA92koBde\
    bcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBcyrcAassoBbo3cAcykoB6hfcAfj\
    woB7s3cAeosoB87ncAe98oB87ncA120soB5mbcAgukoB5mbcAgukoB5mbcAeosoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9\
    xvcA|9.1.6.86400.-10800,4.1.6.86400.-14400;America/Santo_Domingo|-16200 -18000 -14400|35r0Bf6po\
    A5dacBhj5oA526cBhepoA56mcBha9oA58ucBh81oCgaczcB25s0C|;America/Sao_Paulo Brazil/East|-10800 -720\
    0|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoAfk3cB7ccoAf4jcB6wsoAfzncB61ooAfzncB7rwoAeo\
    zcB7rwoAeozcB7ccoAeozcB87goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oAf4jcB7c\
    coAg43cB6scoAeozcB7rwoAfzncB6wsoAe9fcB7rwoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB87goAeozcB7ccoAf4\
    jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB7rwoAeozcB7rwoAfzncB6h8oA|;America/Scoresbysund|-7200 -3600 0|\
    6fd9cBasw0Ab89cCb8coBb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cbo00Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0\
    Cb8g0Bb8g0Cbo00Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bbo00Ccyo0B9i80Ccyo0B9i80Ccyo0\
    B9i80Cde80B92o0Cde80B92o0Cde80B9i80Ccyo0B9i80Ccyo0B9i80Cde80B92o0Cde80B92o0Cde80B92o0Cde80B9i80\
    Ccyo0B9i80Ccyo0B9i80Cde80B92o0Cde80B92o0Cde80B9i80Ccyo0B9i80Ccyo0B9i80Ccyo0B9i80Cde80B92o0Cde80\
    B92o0Cde80B9i80Ccyo0B9i80Ccyo0B9i80Cde80B92o0Cde80B92o0Cde80B|3.5.0.-3600.-3600,10.5.0.0.-7200;\
    America/Sitka|-28800 -32400 -25200|74hcCb8coAb8jcCbnwoAb8jcCb8coAb8jcCb8coA4bncCi58oA7cjcCf4coA\
    b8jcCbnwoAaszcCbnwoAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCbnwoAaszcCbnwoBb8moAb8coBb8jcA\
    b8coBb8jcAb8coB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB\
    9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcA\
    cykoB9ibcAcykoB9ibcAcykoB|3.2.0.7200.-28800,11.1.0.7200.-32400;America/St_Johns Canada/Newfound\
    land|-12600 -9000 -5400|742cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAa\
    szcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb\
    8coA9xoqBcj0oA9xvcCcyhcA9ieoBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9\
    xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBc\
    ykoA9ibcBcykoA87ncBeosoA7s3cBeosoA7s3cBeosoA87ncBeosoA7s3cB|3.2.0.7200.-9000,11.1.0.7200.-12600\
    ;America/Swift_Current|-25200 -21600|1ghq0B|;America/Tegucigalpa|-21600 -18000|autg0B92koAdebcB\
    92koAb13ncB5ocoA|;America/Thule|-14400 -10800|days0Bb8coAb8jcBb8coAbo3cBcykoA9ibcBcykoA9ibcBcyk\
    oA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ib\
    cBcykoA9ibcBcykoA|3.2.0.7200.-10800,11.1.0.7200.-14400;America/Vancouver Canada/Pacific|-28800\
     -25200|74hcBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8\
    coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9x\
    vcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj\
    0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3\
    .2.0.7200.-25200,11.1.0.7200.-28800;America/Whitehorse Canada/Yukon|-28800 -25200|6gohcBb8coAb8\
    jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcy\
    koA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9i\
    bcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncBeosoA7s3cBeosoA7s3cBeo\
    soA87ncBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA87ncBeosoA7s3cBeosoA7s3cBeosoA7s\
    3cBeosoA7s3cB|;America/Yakutat|-32400 -28800|74koBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA\
    7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcB\
    b8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA\
    9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcB\
    cj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA|3.2.0.7200.-28800,11.1.0.7200.-32400
    """
}
