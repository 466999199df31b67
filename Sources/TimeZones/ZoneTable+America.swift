extension ZoneTable {
  /// America's zones.
  static let america = """
    America/Adak America/Atka US/Aleutian|-39600 -36000 -32400|74rcBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb\
    8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAa\
    szcBmwcoCb8coBb8jcCb8coBb8jcCb8coB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9\
    xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCc\
    j0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB87ncC|3.2.0.7200.-32400,11.1.0.7200.-36000;America/\
    Anchorage US/Alaska|-36000 -32400 -28800|74o0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjc\
    Bf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBmwcoCb8coBb8jc\
    Cb8coBb8jcCb8coB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcyko\
    B9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvc\
    CcykoB9ibcCcykoB9ibcCcykoB87ncC|3.2.0.7200.-28800,11.1.0.7200.-32400;America/Anguilla America/A\
    ntigua America/Aruba America/Blanc-Sablon America/Curacao America/Dominica America/Grenada Amer\
    ica/Guadeloupe America/Kralendijk America/La_Paz America/Lower_Princes America/Marigot America/\
    Montserrat America/Port_of_Spain America/Puerto_Rico America/St_Barthelemy America/St_Kitts Ame\
    rica/St_Lucia America/St_Thomas America/St_Vincent America/Tortola America/Virgin Etc/GMT+4|-14\
    400||;America/Araguaina|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoA3jwjcB7\
    ccoAeozcB87goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oA627ncB7ccoA|;America/\
    Argentina/Buenos_Aires America/Buenos_Aires|-10800 -7200|2jju0B61ooA94w3cB5ssoAdtvcB8n0oAe9fcB8\
    7goAe9fcB87goAe9fcB8n0oA9a0jcB4r0oAdebcB92koA|;America/Argentina/Catamarca America/Argentina/Co\
    modRivadavia America/Catamarca|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goBe9\
    ioC87dcAe9fcC8n0oA71c3cB16bcA27i4oC4r0oA|;America/Argentina/Cordoba America/Cordoba America/Ros\
    ario|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goBe9ioC87dcAe9fcC8n0oA9a0jcC4r\
    0oAdebcC92koA|;America/Argentina/Jujuy America/Jujuy|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoA\
    dtvcC8n0oBep2oA8n0oBcj7cC92hcAe9fcC8n0oA9a0jcC4r0oA|;America/Argentina/La_Rioja|-10800 -14400 -\
    7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC830oB452oAa8soC87goAe9fcC8n0oA71c3cB16bcA27i4oC4r0oA|\
    ;America/Argentina/Mendoza America/Mendoza|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oB\
    dw6oA8gcoBe2rcA8ikoBe9fcC8mxcA70s3cB7s3cA21gcoC4r0oA|;America/Argentina/Rio_Gallegos|-10800 -14\
    400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goAe9fcC87goAe9fcC8n0oA71c3cB16bcA27i4oC4r0oA|\
    ;America/Argentina/Salta|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goBe9ioC87d\
    cAe9fcC8n0oA9a0jcC4r0oA|;America/Argentina/San_Juan|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAd\
    tvcC8n0oAe9fcC830oB452oAa8soC87goAe9fcC8n0oA719vcB3ebcA25ccoC4r0oA|;America/Argentina/San_Luis|\
    -10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC998oBd9yoA8gcoB5ojcA8530oB3ebcA25ccoC1csoA2yrcBd\
    ebcA92koBdebcA|;America/Argentina/Tucuman|-10800 -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe\
    9fcC87goBe9ioC87dcAe9fcC8n0oA71c3cBqrcA27xooC4r0oAdebcC92koA|;America/Argentina/Ushuaia|-10800\
     -14400 -7200|2jju0C61ooA94w3cC5ssoAdtvcC8n0oAe9fcC87goAe9fcC87goAe9fcC8n0oA717ncB1arcA27i4oC4r\
    0oA|;America/Asuncion|-14400 -10800|1pzhcBxrgoAxtvcB9dooAd7ncB9bgoAd7ncB9bgoAd7ncBb8coAbarcBbak\
    oAbarcBb8coAbarcBb8coAbarcBb8coAbarcBbakoAbarcBb8coAbarcBb8coAbarcBb8coAbarcBbakoAbarcBb8coAclf\
    cB9xooAbarcBb8coAblvcB92koAdgjcBax8oAbczcB970oAdc3cB94soAdebcB9dooAdircB8n0oAdtvcB92koAdebcB9i4\
    oAcyrcB9i4oAcyrcB9i4oAdebcBb8coA92rcBde4oA9ibcBcykoAc3ncB92koAdebcB92koAdebcB92koAdtvcB8n0oAdtv\
    cB8n0oAdtvcBassoAaszcBbnwoAaszcBbnwoAb8jcBad8oAc3ncBad8oAc3ncBad8oAc3ncBassoAbo3cBassoAbo3cBass\
    oAc3ncBad8oAc3ncBad8oAc3ncBassoAbo3cBassoAbo3cBassoAbo3cBassoAc3ncB|;America/Atikokan America/C\
    ayman America/Coral_Harbour America/Panama Etc/GMT+5|-18000||;America/Bahia|-10800 -7200|9x1m0B\
    87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoAfk3cB7ccoAf4jcB6wsoAfzncB61ooAfzncB7rwoAeozcB7rwoA\
    eozcB7ccoAeozcB87goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oA5fb7cB87goA|;Am\
    erica/Bahia_Banderas|-25200 -21600 -18000|gg6m0Bcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo\
    3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcCcy\
    hcB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9x\
    vcCcj0oB9xvcCcykoB9ibcCcykoB|;America/Barbados|-14400 -10800|4nus0B6wsoAc3ncBad8oAc3ncBad8oAcj7\
    cB9r0oA|;America/Belem|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oA|;America/Belize|-21600 -180\
    00|2gj80B42koA5jmrcB3gcoA|;America/Boa_Vista|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oA7apvc\
    B92koAdtvcBfgoA|;America/Bogota|-18000 -14400|dzlcoBha4oA|;America/Boise|-25200 -21600|74e0Bb8c\
    oAb8jcBbnwoAb8jcBb8coAb8jcBb8coA61vcBgf0oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8j\
    cBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcyk\
    oA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xv\
    cBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-\
    21600,11.1.0.7200.-25200;America/Cambridge_Bay|-25200 -21600 -18000|1ghq0Bb8coAb8jcBb8coAb8jcBb\
    8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb\
    8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBc\
    ykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBmgsoCddy0Bm1m0A9xvcBcj0oA9xvcBcj0oA9\
    xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Campo_Grande|-1\
    4400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoAfk3cB7ccoAf4jcB6wsoAfzncB61ooAfz\
    ncB7rwoAeozcB7rwoAeozcB7ccoAeozcB87goAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h\
    8oAf4jcB7ccoAg43cB6scoAeozcB7rwoAfzncB6wsoAe9fcB7rwoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB87goAeo\
    zcB7ccoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB7rwoAeozcB7rwoAfzncB6h8oA|;America/Cancun|-21600 -18\
    000 -14400|7i7eoBn2u0A8awa0Bcj0oA9xvcBmgsoC7ccoB56rcA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA9x\
    vcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcy\
    koA9xvcBcj0oA9xvcBcj0oA61vcB|;America/Caracas|-14400 -16200|nrbrcB599c0A|;America/Cayenne Etc/G\
    MT+3|-10800||;America/Chicago US/Central|-21600 -18000|74aoBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA\
    4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcB\
    bnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA\
    9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcB\
    cj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-18000,11.1.0.7200.-21600;America\
    /Chihuahua|-21600 -25200 -18000|gg6ioCcj0oA9xvcCcj0oAmgzcB9xvcAcykoB9ibcAcykoBbo3cA92koBbo3cAcj\
    0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9i\
    bcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcy\
    koB9ibcA|;America/Ciudad_Juarez|-21600 -25200 -18000|gg6ioCcj0oA9xvcCcj0oAmgzcB9xvcAcykoB9ibcAc\
    ykoBbo3cA92koBbo3cAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB8\
    n7cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB87ncAeosoB7s3cAeosoB7s3cAeosoB7s3cAe\
    osoB7s3cAeosoB87ncAeosoB7s3cAg5y0B|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Costa_Rica|-216\
    00 -18000|5qb80B61ooAgf7cB61ooA6nr7cBa24oAcercB3ikoA|;America/Coyhaique|-10800 -14400|5dm0Bc3nc\
    A9i4oBcyrcA9i4oBdebcA92koBcj7cA9xooBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcA92ko\
    BdebcA9i4oBcyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcAb8coBb8jcA9i4oBcyrcA9i4oBdebc\
    A92koBbo3cAassoBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBc3ncAbnwo\
    Bbo3cA9i4oBdebcA92koBdebcA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3nc\
    A9i4oBcyrcAassoBbo3cAcykoB6hfcAfjwoB7s3cAeosoB87ncAe98oB87ncA120soB5mbcAgukoB5mbcAgukoB5mbcAeos\
    oB9ibcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9ibcAde4oB9ibcA|;America/Creston America/Phoenix Etc/\
    GMT+7 US/Arizona|-25200||;America/Cuiaba|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8o\
    AfzncB7ccoAfk3cB7ccoAf4jcB6wsoAfzncB61ooAfzncB7rwoAeozcB7rwoAeozcB7ccoAeozcB87goAebncB90coAdtvc\
    B87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oA12kzcB6scoAeozcB7rwoAfzncB6wsoAe9fcB7rwoAf4jcB7cc\
    oAf4jcB7rwoAeozcB7rwoAeozcB87goAeozcB7ccoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB7rwoAeozcB7rwoAfzn\
    cB6h8oA|;America/Danmarkshavn|-10800 -7200 0|6fdcoBasioAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00\
    Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0\
    Bb8g0Ab8g0Bb8g0A646oC|;America/Dawson|-32400 -28800 -25200|2e720B42hfcCb8coBb8jcCb8coBb8jcCbnwo\
    BaszcCbnwoBb8jcCb8coBb8jcCb8coBb8jcCb8coB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvc\
    Ccj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcyko\
    B9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB87ncCeosoB7s3cCeosoB7s3cCeosoB87ncCeosoB7s3c\
    CeosoB7s3cCeosoB7s3cCeosoB7s3cCeosoB7s3cCeosoB87ncCeosoB7s3cCeosoB7s3cCeosoB7s3cCeosoB7s3cC|;Am\
    erica/Dawson_Creek|-28800 -25200|74hcBb8coAb8jcBbnwoAb8jcB|;America/Denver America/Shiprock US/\
    Mountain|-25200 -21600|74e0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAas\
    zcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8\
    coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9x\
    vcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcy\
    koA9ibcBcykoA87ncB|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Detroit US/Michigan|-18000 -144\
    00|22yfcBb8coA4bncBi58oAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb\
    8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBc\
    j0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9\
    ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-14400,11.1.0.7200.\
    -18000;America/Edmonton America/Yellowknife Canada/Mountain|-25200 -21600|1ghq0Bb8coAb8jcBb8coA\
    b8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcB\
    bnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA\
    9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcB\
    cj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-21600,11.1.0.7200.-25200;America\
    /Eirunepe|-18000 -14400|9x1soB87goAdtvcB6wsoAfmbcB6h8oA3kc3cB7rwoA8zc3cB3dakoA|;America/El_Salv\
    ador|-21600 -18000|autg0B92koAdebcB92koA|;America/Ensenada America/Santa_Isabel America/Tijuana\
     Mexico/BajaNorte|-28800 -25200|3yddcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8\
    jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj\
    0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9i\
    bcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA8n7cB|3\
    .2.0.7200.-25200,11.1.0.7200.-28800;America/Fort_Nelson|-28800 -25200|74hcBb8coAb8jcBbnwoAb8jcB\
    b8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coA\
    b8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcB\
    cj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA\
    9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncBeosoA7s3cBeosoA7s3cBeosoA87ncB\
    eosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cB|;America/Fort_Wayne America/Indiana/Indianap\
    olis America/Indianapolis US/East-Indiana|-18000 -14400|747cBb8coAm6ybcBcykoA87ncB|3.2.0.7200.-\
    14400,11.1.0.7200.-18000;America/Fortaleza|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8\
    oAfzncB7ccoA61cjcB92koAdtvcBv0oAm1fcB7rwoA|;America/Glace_Bay|-14400 -10800|1ghg0Bb8coAb8jcBb8c\
    oAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAasz\
    cBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0\
    oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xv\
    cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-10800,11.1.0.7200.-14400;Ameri\
    ca/Godthab America/Nuuk|-10800 -7200 -3600|6fdcoBasioAb8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab\
    8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb\
    8g0Ab8g0Bb8g0Abo00Bcyo0A9i80Bcyo0A9i80Bcyo0A9i80Bde80A92o0Bde80A92o0Bde80A9i80Bcyo0A9i80Bcyo0A9\
    i80Bde80A92o0Bde80A92o0Bde80A92o0Bde80A9i80Bcyo0A9i80Bcyo0A9i80Bde80A92o0Bde80A92o0Bde80A9i80Bc\
    yo0A9i80Bcyo0A9i80Bcyo0A9i80Bde80A92o0Bde80A92o0Bde80A9i80Bcyo0A9i80Bcyo0A9i80Bde80A92o0Bde80A9\
    2o0Bmwg0C|3.5.0.-3600.-3600,10.5.0.0.-7200;America/Goose_Bay|-14400 -10800 -7200|7440Bb8coAb8jc\
    BbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8co\
    Ab8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xoqBcj0oA9xvcCcyhcA9ieoBcykoA9ibc\
    BcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcyko\
    A9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncBeosoA7s3cBeosoA7s3c\
    BeosoA87ncBeosoA7s3cBeozaA|3.2.0.7200.-10800,11.1.0.7200.-14400;America/Grand_Turk|-18000 -1440\
    0|5u7bcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9x\
    vcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj\
    0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87\
    ncBeosoA7s3cBeosoA7s3cBeosoA87ncBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cB2aj0oA|3.2.0\
    .7200.-14400,11.1.0.7200.-18000;America/Guatemala|-21600 -18000|2fx00B5m4oA5s7ncB7ngoA4p2rcBad8\
    oA966rcB9i4oA|;America/Guayaquil|-18000 -14400|echsoB498oA|;America/Guyana|-13500 -14400 -10800\
    |3ht8iCafm8uB|;America/Halifax Canada/Atlantic|-14400 -10800|7440Bb8coAb8jcBbnwoAb8jcBb8coAb8jc\
    Bb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwo\
    AaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvc\
    Bcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcyko\
    A9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-10800,11.1.0.7200.-14400;A\
    merica/Havana|-18000 -14400|740oBb8coAb8jcBbnwoAb8jcB9xooAcj7cB9zwoAcgzcBa24oAcercBb8coAb8jcBbn\
    woAaszcBbnwoAbo3cB9i4oA9xvcBcykoA9ibcBcykoAcyrcB9i4oAcyrcB9i4oAcyrcB9i4oAcyrcB9xooAcj7cB9xooA9i\
    bcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oAaszcBc3goAaszcBbo00Aasw0Bbo00Aasw0Bbo00Aasw0Bbo00Aasw0Bbo\
    00Ab8g0Bb8g0Ab8g0Bbo00Aadc0Bcyo0A9i80Bde80A9i80Bcyo0A9i80Bcyo0A9xs0Bcj40A9xs0Bcj40A9i80B1mc00A8\
    7k0Be9c0A8n40Bdts0A87k0Be9c0A8n40Be9c0A8n40Beow0A8n40B|3.2.0.0.-14400,11.1.0.3600.-18000;Americ\
    a/Hermosillo|-25200 -21600|gg6m0Bcj0oA9xvcBcj0oA9xvcBcj0oA|;America/Indiana/Knox America/Knox_I\
    N US/Indiana-Starke|-21600 -18000|74aoBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb\
    8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb\
    8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcB9qv0oA87ncB|3.2.0.7200.-18000,11.1.0\
    .7200.-21600;America/Indiana/Marengo|-18000 -14400|747cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAttfc\
    Bf4coAj26bcBcykoA87ncB|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Indiana/Petersburg|-21600 -\
    18000 -14400|74aoBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBihfgoA8\
    7ncBmgsoC|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Indiana/Tell_City|-18000 -21600 -14400|7\
    47cCb8coAmjwzcB87ncA|3.2.0.7200.-18000,11.1.0.7200.-21600;America/Indiana/Vevay|-18000 -14400|7\
    47cBb8coAb8jcBbnwoAb8jcBb8coAkxkzcBcykoA87ncB|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Indi\
    ana/Vincennes|-18000 -21600 -14400|747cCb8coAmjwzcB87ncAmgsoC|3.2.0.7200.-14400,11.1.0.7200.-18\
    000;America/Indiana/Winamac|-18000 -21600 -14400|747cCb8coAmjwzcB87ncC|3.2.0.7200.-14400,11.1.0\
    .7200.-18000;America/Inuvik|-28800 -25200 -21600|1ghtcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcB\
    bnwoAaszcBbnwoAb8jcBb8coAb8jcCb89cBb8jcCb8coBb8jcCb8coBb8jcCbnwoBaszcCbnwoBb8jcCb8coBb8jcCb8coB\
    b8jcCb8coB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcC\
    cykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB\
    9ibcCcykoB9ibcCcykoB87ncC|3.2.0.7200.-21600,11.1.0.7200.-25200;America/Iqaluit America/Pangnirt\
    ung|-18000 -21600 -14400|1ghjcCb8coAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCbnwoAaszcCbnwoAb8jcCb8co\
    Ab8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCbnwoAaszcCbnwoAb8jcCb8coAb8jcCb8coAb8jcCb8coA9xvcCcj0oA9xvc\
    CcykoA9ibcCcykoA9ibcCcykoA9xvcCcj0oA9xvcCcj0oA9xvcCcykoA9ibcCcykoA9ibcCcykoA9xvcCcj0oA9xvcCcj0o\
    A9xvcCcj0oA9xvcCcykoB9ieoAmgsoCcykoA9xvcCcj0oA9xvcCcj0oA9xvcCcykoA9ibcCcykoA9ibcCcykoA87ncC|3.2\
    .0.7200.-14400,11.1.0.7200.-18000;America/Jamaica|-18000 -14400|2iifcBi58oA7cjcBf4coAb8jcBbnwoA\
    aszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoA|;America/Juneau|-28800 -\
    32400 -25200|74hcCb8coAb8jcCbnwoAb8jcCb8coAb8jcCb8coA4bncCi58oA7cjcCf4coAb8jcCbnwoAaszcCbnwoAb8\
    jcCb8coAb8jcCb8coAxpfcCb8coAb8jcCbnwoAaszcCbnwoBb8moAb8coBb8jcAb8coBb8jcAb8coB9xvcAcj0oB9xvcAcy\
    koB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9x\
    vcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB87ncA|3\
    .2.0.7200.-28800,11.1.0.7200.-32400;America/Kentucky/Louisville America/Louisville|-18000 -1440\
    0|747cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAttfcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8j\
    cBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcyk\
    oA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xv\
    cBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-\
    14400,11.1.0.7200.-18000;America/Kentucky/Monticello|-21600 -18000 -14400|74aoBb8coAb8jcBbnwoAb\
    8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb\
    8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9\
    xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBm\
    gsoCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB87ncC|3.2.0.7200.-14400,11.1.0.7200.\
    -18000;America/Lima|-18000 -14400|a0r4oB5jwoAgz7cB5jwoA1q3ncB5jwoA2cmrcB5jwoA|;America/Los_Ange\
    les US/Pacific|-28800 -25200|74hcBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBb\
    nwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb\
    8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBc\
    ykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9\
    ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-25200,11.1.0.7200.-28800;America/Maceio|-10800 -7200|9x1m0\
    B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoA3jwjcB7ccoA2a3ncB92koAdtvcBv0oAm1fcB7rwoA|;Americ\
    a/Managua|-21600 -18000|232s0B14hooA2k1fcB63woAgczcB63woA77tsoBggvcA643cB2i6koA56hfcBassoAcyy0B\
    9i1cA|;America/Manaus Brazil/West|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oA3kc3cB7rwoA|;Ame\
    rica/Martinique|-14400 -10800|6fd9cBassoA|;America/Matamoros|-21600 -18000|bfkaoBcykoA4nnncBcj0\
    oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ib\
    cBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA8n7cB|3.2.0.7200.-18000,11.1.0.7200.-21600;America/Mazatla\
    n Mexico/BajaSur|-25200 -21600|gg6m0Bcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3\
    cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcyk\
    oA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xv\
    cBcykoA9ibcBcykoA|;America/Menominee|-18000 -21600|2e6vcB4bncAi58oB7cjcAf4coBb8jcAbnwoBaszcAbnw\
    oBb8jcAb8coBb8jcAb8coBb8jcAb8coBb8jcAb8coBb8jcAbnwoBaszcAbnwoBb8jcAb8coBb8jcAb8coBb8jcAb8coB9xv\
    cAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0\
    oB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ib\
    cAcykoB87ncA|3.2.0.7200.-18000,11.1.0.7200.-21600;America/Merida|-21600 -18000|7i7eoBj70oA8es3c\
    Bcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcyko\
    A9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvc\
    Bcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA|;America/Metlakatl\
    a|-28800 -32400 -25200|74hcCb8coAb8jcCbnwoAb8jcCb8coAb8jcCb8coA4bncCi58oA7cjcCf4coAb8jcCbnwoAas\
    zcCbnwoAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCbnwoAaszcCbnwoAk1lvcB87ncAeosoB7s3cAeosoB7\
    s3cAjfwoB|3.2.0.7200.-28800,11.1.0.7200.-32400;America/Mexico_City Mexico/General|-21600 -18000\
    |gg6ioBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ib\
    cBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0\
    oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA|;America/Miq\
    uelon|-14400 -10800 -7200|6gwtcB4c6bcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9x\
    vcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj\
    0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB87ncC|3.2.0.7200.-7200,11.1.0.7200.-10800;America/Mo\
    ncton|-14400 -10800|7440Bb8coAb8jcBbnwoAb8jcBb8coAxpfcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcB\
    b8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA\
    9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xoqBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcB\
    cj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA\
    87tyB|3.2.0.7200.-10800,11.1.0.7200.-14400;America/Monterrey|-21600 -18000|bfkaoBcykoA4nnncBcj0\
    oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoAbo3cB92koAbo3cBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ib\
    cBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0\
    oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA|;America/Montevideo|-1\
    0800 -9000 -7200 -5400|71m0C330oA15wzcC56koAxpfcD3gb0BaszcA6wxoC61ooA12w3cC4r0oAgurcC5m4oAhpvcC\
    4r0oA3gjcCjvgoA4umrcC4osoAhpvcC56koAeozcC7ccoAeozcC87goAeozcC7rwoAe9fcC87goA78k3cCbo3cAc3ncC9i4\
    oAcj7cC9xooAcyrcC9i4oAcyrcC9i4oAcyrcC9xooAcj7cC9xooAcj7cC9xooAcyrcC9i4oAcyrcC9i4oAcyrcC9i4oA|;A\
    merica/Montreal America/Nassau America/Nipigon America/Thunder_Bay America/Toronto Canada/Easte\
    rn|-18000 -14400|747cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnw\
    oAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xv\
    cBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0\
    oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ib\
    cBcykoA87ncB|3.2.0.7200.-14400,11.1.0.7200.-18000;America/New_York US/Eastern|-18000 -14400|747\
    cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8c\
    oAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ib\
    cBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0\
    oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7\
    200.-14400,11.1.0.7200.-18000;America/Nome|-39600 -36000 -32400 -28800|74rcBb8coAb8jcBbnwoAb8jc\
    Bb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8co\
    Ab8jcBbnwoAaszcBbnwoCb8coDb8coCb8jcDb8coCb8jcDb8coC9xvcDcj0oC9xvcDcykoC9ibcDcykoC9ibcDcykoC9xvc\
    Dcj0oC9xvcDcj0oC9xvcDcykoC9ibcDcykoC9ibcDcykoC9xvcDcj0oC9xvcDcj0oC9xvcDcj0oC9xvcDcykoC9ibcDcyko\
    C9ibcDcykoC9xvcDcj0oC9xvcDcj0oC9xvcDcykoC9ibcDcykoC9ibcDcykoC87ncD|3.2.0.7200.-28800,11.1.0.720\
    0.-32400;America/Noronha Brazil/DeNoronha|-7200 -3600|9x1ioB87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oA\
    fzncB7ccoA61cjcB92koAdtvcBfgoAmgzcB7rwoA|;America/North_Dakota/Beulah|-25200 -21600 -18000|74e0\
    Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8co\
    Ab8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibc\
    BcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0o\
    A9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncBeosoA7s3c\
    BeosoA7s3cBeosoA87ncBmgsoC|3.2.0.7200.-18000,11.1.0.7200.-21600;America/North_Dakota/Center|-25\
    200 -21600 -18000|74e0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbn\
    woAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9x\
    vcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBmgsoCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9x\
    vcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcykoB9xvcCcj0oB9xvcCcj0oB9xvcCcykoB9ibcCcykoB9ibcCcy\
    koB87ncC|3.2.0.7200.-18000,11.1.0.7200.-21600;America/North_Dakota/New_Salem|-25200 -21600 -180\
    00|74e0Bb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8\
    jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcy\
    koA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9x\
    vcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBmgsoCcykoB9ibcCcykoB9ibcCcykoB87ncC|3.2.0.\
    7200.-18000,11.1.0.7200.-21600;America/Ojinaga|-21600 -25200 -18000|gg6ioCcj0oA9xvcCcj0oAmgzcB9\
    xvcAcykoB9ibcAcykoBbo3cA92koBbo3cAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9xvcAc\
    j0oB9xvcAcj0oB8n7cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB7s3cAeosoB87ncAeosoB7s3cAeosoB7\
    s3cAeosoB7s3cAeosoB7s3cAeosoB87ncAeosoB7s3cAmgsoC|3.2.0.7200.-18000,11.1.0.7200.-21600;America/\
    Paramaribo|-12600 -10800|98jfoB|;America/Port-au-Prince|-18000 -14400|8cxsoBassoAb8jcBb8coAb8jc\
    Bb8coAb8jcBb8coAb8jcBb8coA9xyoBcyo0A9i80Bcyo0A9i80Bcyo0A9xs0Bcj40A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0\
    A9i80Bcyo0A9xs0Bcj40A9xs0Bcj40A4nngoBcykoA9ibcBcykoA3czu0BeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoAuo\
    jcB|3.2.0.7200.-14400,11.1.0.7200.-18000;America/Porto_Acre America/Rio_Branco Brazil/Acre|-180\
    00 -14400|9x1soB87goAdtvcB6wsoAfmbcB6h8oAcrg3cB3dakoA|;America/Porto_Velho|-14400 -10800|9x1pcB\
    87goAdtvcB6wsoAfmbcB6h8oA|;America/Punta_Arenas|-10800 -14400|5dm0Bc3ncA9i4oBcyrcA9i4oBdebcA92k\
    oBcj7cA9xooBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyr\
    cA9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcAb8coBb8jcA9i4oBcyrcA9i4oBdebcA92koBbo3cAassoBdebcA9i4\
    oBcyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBc3ncAbnwoBbo3cA9i4oBdebcA92koBdeb\
    cA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBcyrcAassoBbo3cAcyk\
    oB6hfcAfjwoB7s3cAeosoB87ncAe98oB87ncA120soB5mbcA|;America/Rainy_River America/Winnipeg Canada/C\
    entral|-21600 -18000|74aoBb8g0Ab8g0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Aasw0\
    Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bbo00Aasw0Bbo00Ab8g0Bb8g0Ab8g0Bb8g0Ab8g0Bb8g0\
    A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80Bcyo0A9xs0Bcj40A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80Bcyo0A9xs0\
    Bcj40A9xs0Bcj40A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0A9i80Bcyo0A9xs0Bcj40A9xs0Bcj40A9xs0Bcyo0A9i80Bcyo0\
    A9i80BcykoA87ncB|3.2.0.7200.-18000,11.1.0.7200.-21600;America/Rankin_Inlet|-21600 -18000|1ghmoB\
    b8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coA\
    b8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcB\
    cj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBzfgoA\
    9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-18000,11.1.0.7200.-21600;Am\
    erica/Recife|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmbcB6h8oAfk3cB6h8oAfzncB7ccoA61cjcB92koAdtvcBfg\
    oAmgzcB7rwoA|;America/Regina Canada/Saskatchewan Etc/GMT+6|-21600||;America/Resolute|-21600 -18\
    000|1ghmoBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA\
    b8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcB\
    cykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA\
    9ibcBzfgoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBzv0oA|3.2.0.7200.-18000,11.1.0.7200.-216\
    00;America/Santarem|-14400 -10800|9x1pcB87goAdtvcB6wsoAfmbcB6h8oAcrg3cB|;America/Santiago Chile\
    /Continental|-10800 -14400|5dm0Bc3ncA9i4oBcyrcA9i4oBdebcA92koBcj7cA9xooBdebcA92koBdebcA9i4oBcyr\
    cA9i4oBcyrcA9i4oBdebcA92koBdebcA92koBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdebcA92koBdebcA92k\
    oBdebcAb8coBb8jcA9i4oBcyrcA9i4oBdebcA92koBbo3cAassoBdebcA9i4oBcyrcA9i4oBcyrcA9i4oBcyrcA9i4oBdeb\
    cA92koBdebcAad8oBc3ncA9i4oBc3ncAbnwoBbo3cA9i4oBdebcA92koBdebcA92koBdebcA92koBdebcA9i4oBcyrcA9i4\
    oBcyrcA9i4oBdebcA92koBdebcAad8oBc3ncA9i4oBcyrcAassoBbo3cAcykoB6hfcAfjwoB7s3cAeosoB87ncAe98oB87n\
    cA120soB5mbcAgukoB5mbcAgukoB5mbcAeosoB9ibcAcykoB9ibcAcykoB9ibcAcykoB9xvcA|9.1.6.86400.-10800,4.\
    1.6.86400.-14400;America/Santo_Domingo|-16200 -18000 -14400|35r0Bf6poA5dacBhj5oA526cBhepoA56mcB\
    ha9oA58ucBh81oCgaczcB25s0C|;America/Sao_Paulo Brazil/East|-10800 -7200|9x1m0B87goAdtvcB6wsoAfmb\
    cB6h8oAfk3cB6h8oAfzncB7ccoAfk3cB7ccoAf4jcB6wsoAfzncB61ooAfzncB7rwoAeozcB7rwoAeozcB7ccoAeozcB87g\
    oAebncB90coAdtvcB87goAdtvcB92koAdtvcB87goAeozcB7rwoAfzncB6h8oAf4jcB7ccoAg43cB6scoAeozcB7rwoAfzn\
    cB6wsoAe9fcB7rwoAf4jcB7ccoAf4jcB7rwoAeozcB7rwoAeozcB87goAeozcB7ccoAf4jcB7ccoAf4jcB7rwoAeozcB7rw\
    oAeozcB7rwoAeozcB7rwoAfzncB6h8oA|;America/Scoresbysund|-7200 -3600 0|6fd9cBasw0Ab89cCb8coBb8g0C\
    b8g0Bb8g0Cb8g0Bb8g0Cbo00Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cbo00Bb8g0Cb8g0B\
    b8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bb8g0Cb8g0Bbo00Ccyo0B9i80Ccyo0B9i80Ccyo0B9i80Cde80B92o0Cde80B92o0C\
    de80B9i80Ccyo0B9i80Ccyo0B9i80Cde80B92o0Cde80B92o0Cde80B92o0Cde80B9i80Ccyo0B9i80Ccyo0B9i80Cde80B\
    92o0Cde80B92o0Cde80B9i80Ccyo0B9i80Ccyo0B9i80Ccyo0B9i80Cde80B92o0Cde80B92o0Cde80B9i80Ccyo0B9i80C\
    cyo0B9i80Cde80B92o0Cde80B92o0Cde80Bmgw0A|3.5.0.-3600.-3600,10.5.0.0.-7200;America/Sitka|-28800\
     -32400 -25200|74hcCb8coAb8jcCbnwoAb8jcCb8coAb8jcCb8coA4bncCi58oA7cjcCf4coAb8jcCbnwoAaszcCbnwoA\
    b8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCb8coAb8jcCbnwoAaszcCbnwoBb8moAb8coBb8jcAb8coBb8jcAb8coB9xvcA\
    cj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB\
    9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcAcykoB9xvcAcj0oB9xvcAcj0oB9xvcAcykoB9ibcAcykoB9ibcA\
    cykoB87ncA|3.2.0.7200.-28800,11.1.0.7200.-32400;America/St_Johns Canada/Newfoundland|-12600 -90\
    00 -5400|742cBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb\
    8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xoqBcj0oA9\
    xvcCcyhcA9ieoBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBc\
    j0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA8\
    7ncBeosoA7s3cBeosoA7s3cBeosoA87ncBeosoA7s3cBeozaA|3.2.0.7200.-9000,11.1.0.7200.-12600;America/S\
    wift_Current|-25200 -21600|1ghq0B|;America/Tegucigalpa|-21600 -18000|autg0B92koAdebcB92koAb13nc\
    B5ocoA|;America/Thule|-14400 -10800|days0Bb8coAb8jcBb8coAbo3cBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0\
    oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ib\
    cBcykoA87ncB|3.2.0.7200.-10800,11.1.0.7200.-14400;America/Vancouver Canada/Pacific|-28800 -2520\
    0|74hcBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8j\
    cBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcyk\
    oA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xv\
    cBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.\
    2.0.7200.-25200,11.1.0.7200.-28800;America/Whitehorse Canada/Yukon|-28800 -25200|6gohcBb8coAb8j\
    cBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcyk\
    oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ib\
    cBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncBeosoA7s3cBeosoA7s3cBeos\
    oA87ncBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA7s3cBeosoA87ncBeosoA7s3cBeosoA7s3cBeosoA7s3\
    cBeosoA7s3cB|;America/Yakutat|-32400 -28800|74koBb8coAb8jcBbnwoAb8jcBb8coAb8jcBb8coA4bncBi58oA7\
    cjcBf4coAb8jcBbnwoAaszcBbnwoAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBb8coAb8jcBbnwoAaszcBbnwoAb8jcBb\
    8coAb8jcBb8coAb8jcBb8coA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9\
    ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBcj0oA9xvcBcj0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA9xvcBcj0oA9xvcBc\
    j0oA9xvcBcykoA9ibcBcykoA9ibcBcykoA87ncB|3.2.0.7200.-28800,11.1.0.7200.-32400
    """
}
