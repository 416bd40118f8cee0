import { chooseConnection } from './connection/choose-connection'
import { mountDesk } from './shell/mount-desk'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
mountDesk(root, chooseConnection)
